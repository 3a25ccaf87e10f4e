-- What each site's merchant has sent so far: its parameters, and the values of those that have few.
create table site_words (
  site_id bigint not null,
  parameter text not null, -- in the spelling by which names are compared
  value text not null, -- in lower case; '' is the parameter itself, whatever its value
  name text not null, -- of the parameter, as first sent
  is_free boolean not null default false, -- it had more values than are kept
  first_at timestamptz not null,
  last_at timestamptz not null,
  times bigint not null,
  last_postback uuid not null,
  constraint site_words__pk primary key (site_id, parameter, value)
);

-- Up to which postback they are read, in the order of arrival. The first reading begins with the oldest one.
create table site_words_read (
  only_row boolean not null default true,
  received_at timestamptz not null,
  postback_id uuid not null,
  constraint site_words_read__pk primary key (only_row),
  constraint site_words_read__only_row check (only_row)
);

insert into site_words_read (received_at, postback_id) values ('1970-01-01 00:00:00+00', '00000000-0000-0000-0000-000000000000');
