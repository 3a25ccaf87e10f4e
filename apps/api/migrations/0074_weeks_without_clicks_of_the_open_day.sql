-- Weeks get the clicks of the open day when the next one begins, as months do. Everything else, which decides tiers, they get at once.
update totals_week_office_avp as week
set raws = week.raws - today.raws, uniques = week.uniques - today.uniques
from (
  select week.day, week.office_id, week.week_avp_sales, sum(today.raws)::integer as raws, sum(today.uniques)::integer as uniques
  from totals_day_agent as today
  join totals_week_agent as week
    on week.agent_id = today.agent_id and week.office_id = today.office_id
    and week.day = today.day - (today.day - date '0001-01-01') % 7
  where today.day = (select day from totals_open_day)
  group by week.day, week.office_id, week.week_avp_sales
) as today
where week.office_id = today.office_id and week.day = today.day and week.week_avp_sales = today.week_avp_sales;

update totals_week_agent as week
set raws = week.raws - today.raws, uniques = week.uniques - today.uniques
from totals_day_agent as today
where today.day = (select day from totals_open_day)
  and week.agent_id = today.agent_id and week.office_id = today.office_id
  and week.day = today.day - (today.day - date '0001-01-01') % 7;
