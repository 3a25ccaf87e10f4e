-- What targets of link types and preferred domains answered when they were last asked.
create table link_checks (
  watched text not null,
  id bigint not null,
  url text not null, -- without click id; asked of another one, the rest starts anew
  asked_at timestamptz not null,
  host text, -- where it ended, or ends since it has moved for a week
  failures integer not null default 0, -- in a row
  constraint link_checks__pk primary key (watched, id),
  constraint link_checks__watched check (watched in ('type', 'domain'))
);
