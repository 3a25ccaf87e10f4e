-- The first New York day on which all events were counted by a rule. Earlier days are verified by the rule before.
create table counting_rules (
  rule text not null,
  from_day date not null,
  constraint counting_rules__pk primary key (rule)
);
revoke insert, update, delete on counting_rules from tallyroom_app;

-- Before 0040 each IPv6 address was a visitor. On the day of the upgrade a link may have both kinds.
insert into counting_rules (rule, from_day)
select
  'an IPv6 visitor is a /64',
  case
    when exists (select 1 from clicks) then (now() at time zone 'America/New_York')::date + 1
    else date '1970-01-01'
  end;
