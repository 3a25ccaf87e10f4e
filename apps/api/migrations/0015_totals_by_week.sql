-- Two more units of the totals by agent: weeks, by which AVP is counted, and payout periods (half-months).
-- Both also make the edges of a range cheap that begins or ends within a month.

create table totals_week_agent (
  like totals_day_agent including defaults,
  constraint totals_week_agent__pk primary key (agent_id, day, office_id)
) with (fillfactor = 80);

create table totals_beweek_agent (
  like totals_day_agent including defaults,
  constraint totals_beweek_agent__pk primary key (agent_id, day, office_id)
) with (fillfactor = 80);

insert into totals_week_agent
select
  day - (day - date '0001-01-01') % 7, agent_id, office_id, -- the first day of all was a Monday
  sum(raws), sum(uniques), sum(sales), sum(bonus_sales), sum(avp_sales),
  sum(earning_cents), sum(bonus_earning_cents), sum(payout_centavos), sum(bonus_payout_centavos), sum(lpp)
from totals_day_agent
group by 1, agent_id, office_id
order by 1, agent_id, office_id;

insert into totals_beweek_agent
select
  date_trunc('month', day)::date + case when extract(day from day) > 15 then 15 else 0 end,
  agent_id, office_id,
  sum(raws), sum(uniques), sum(sales), sum(bonus_sales), sum(avp_sales),
  sum(earning_cents), sum(bonus_earning_cents), sum(payout_centavos), sum(bonus_payout_centavos), sum(lpp)
from totals_day_agent
group by 1, agent_id, office_id
order by 1, agent_id, office_id;

create index totals_week_agent__day on totals_week_agent (day, agent_id, office_id);
create index totals_beweek_agent__day on totals_beweek_agent (day, agent_id, office_id);

-- Few agents make an AVP sale on a day or in a week: what they are paid is read from these rows alone.
create index totals_week_agent__avp on totals_week_agent (day, agent_id, office_id)
include (avp_sales) where avp_sales <> 0;
create index totals_day_agent__avp on totals_day_agent (day, agent_id, office_id)
include (avp_sales) where avp_sales <> 0;
create index totals_day_agent_type__avp on totals_day_agent_type (site_id, day, agent_id, office_id)
include (type_id, avp_sales) where avp_sales <> 0;

-- Who saves a schedule must have seen it as it is.
alter table avp_tiers add column version integer not null default 1;
