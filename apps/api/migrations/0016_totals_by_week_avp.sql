-- The tier of an agent is given by its AVP sales of a week, in all of its offices. That number is kept on the
-- rows of its weeks; and the weeks of an office are also summed by it. Whatever the tiers are, and whenever they
-- change: how many sales were paid by which of them is a question to a few rows of every week and office.

alter table totals_week_agent add column week_avp_sales integer not null default 0;

update totals_week_agent as present
set week_avp_sales = weeks.avp_sales
from (
  select agent_id, day, sum(avp_sales) as avp_sales
  from totals_week_agent
  group by agent_id, day
) as weeks
where present.agent_id = weeks.agent_id and present.day = weeks.day and weeks.avp_sales <> 0;

create table totals_week_office_avp (
  day date not null,
  office_id integer not null,
  week_avp_sales integer not null, -- of each of the agents that the row sums up
  raws integer not null default 0,
  uniques integer not null default 0,
  sales integer not null default 0,
  bonus_sales integer not null default 0,
  avp_sales integer not null default 0,
  earning_cents bigint not null default 0,
  bonus_earning_cents bigint not null default 0,
  payout_centavos bigint not null default 0,
  bonus_payout_centavos bigint not null default 0,
  lpp integer not null default 0,
  constraint totals_week_office_avp__pk primary key (office_id, day, week_avp_sales)
) with (fillfactor = 80);

insert into totals_week_office_avp
select
  day, office_id, week_avp_sales,
  sum(raws), sum(uniques), sum(sales), sum(bonus_sales), sum(avp_sales),
  sum(earning_cents), sum(bonus_earning_cents), sum(payout_centavos), sum(bonus_payout_centavos), sum(lpp)
from totals_week_agent
group by day, office_id, week_avp_sales
order by day, office_id, week_avp_sales;

create index totals_week_office_avp__day on totals_week_office_avp (day, office_id);

-- What agents' weeks are paid, and the order of agents by their tiers: from the weeks with AVP sales alone.
drop index totals_week_agent__avp;
create index totals_week_agent__avp on totals_week_agent (day, agent_id, office_id)
include (avp_sales, week_avp_sales) where avp_sales <> 0 or week_avp_sales <> 0;

-- The weeks of an office are summed anew when one of its agents did something.
drop index totals_week_agent__day;
create index totals_week_agent__day on totals_week_agent (day, office_id, agent_id);
