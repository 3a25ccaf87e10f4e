-- A reversal used to lower the AVP sales of its own day. It takes its sale out of the week in which the sale was made, in
-- reports as in pay. The next fold adds this to all totals.
with reversed as (
  select
    reversal.occurred_at, sale.occurred_at as sold_at,
    reversal.agent_id, reversal.office_id, reversal.site_id, reversal.type_id
  from sale_events as reversal
  join sale_events as sale on sale.agent_id = reversal.agent_id and sale.id = reversal.reverses
  where reversal.quantity = -1 and reversal.event_type = 0 and reversal.avp
)
insert into totals_pending (day, agent_id, office_id, site_id, type_id, avp_sales)
select day, agent_id, office_id, site_id, type_id, sum(avp_sales)
from (
  select
    (occurred_at at time zone 'America/New_York')::date as day,
    agent_id, office_id, site_id, type_id, 1 as avp_sales
  from reversed
  union all
  select (sold_at at time zone 'America/New_York')::date, agent_id, office_id, site_id, type_id, -1
  from reversed
) as moved
group by day, agent_id, office_id, site_id, type_id
having sum(avp_sales) <> 0;
