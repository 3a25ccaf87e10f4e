-- Whom offices and agents ask. Empty: nobody is named.
create table network_contact (
  only_row boolean not null default true,
  name text not null default '',
  chat text not null default '', -- a link, or a name or number and where
  email text not null default '',
  version integer not null default 1,
  constraint network_contact__pk primary key (only_row),
  constraint network_contact__only_row check (only_row)
);

insert into network_contact default values;
