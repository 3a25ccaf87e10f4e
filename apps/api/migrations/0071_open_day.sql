-- The newest day of the totals, once a day later than all before has begun: its rows are only in the levels of days and
-- weeks, until the next day begins. All day long, an event then changes half as many rows.
create table totals_open_day (
  day date not null,
  constraint totals_open_day__pk primary key (day)
);

-- For closing a day, and for reading the open one next to whole months.
create index totals_day_agent_type__day on totals_day_agent_type (day);
