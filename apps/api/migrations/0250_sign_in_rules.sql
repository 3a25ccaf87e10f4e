-- From which day on, in New York, whom signing in asks for a second factor; null: nobody of them.
create table sign_in_rules (
  only_row boolean not null default true,
  superadmins date,
  admins date,
  payers date, -- holders of PAY
  offices date,
  agents date,
  version integer not null default 1,
  constraint sign_in_rules__pk primary key (only_row),
  constraint sign_in_rules__only_row check (only_row)
);

insert into sign_in_rules default values;
