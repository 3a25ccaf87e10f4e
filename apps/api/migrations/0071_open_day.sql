-- The newest day of the totals. Until a later day begins, its rows are only in the levels of days and weeks, so that an
-- event changes half as many rows. After an upgrade or a rebuild there is none until a day begins.
create table totals_open_day (
  singleton boolean not null default true,
  day date not null,
  constraint totals_open_day__pk primary key (singleton),
  constraint totals_open_day__one check (singleton)
);

-- For closing a day, and for reading the open one next to whole months.
create index totals_day_agent_type__day on totals_day_agent_type (day);
