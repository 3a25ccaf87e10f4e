-- The lattice of totals: what every statistics page reads. A question is answered by the coarsest level
-- that has its columns. `day` is a New York day; in the month levels it is the month's first day.

create table totals_day_agent_type (
  day date not null,
  agent_id integer not null,
  office_id integer not null,
  site_id integer not null,
  type_id integer not null,
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
  constraint totals_day_agent_type__pk primary key (agent_id, day, type_id, office_id)
) with (fillfactor = 80);

create table totals_day_agent (
  day date not null,
  agent_id integer not null,
  office_id integer not null,
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
  constraint totals_day_agent__pk primary key (agent_id, day, office_id)
) with (fillfactor = 80);

create table totals_day_office_type (
  day date not null,
  office_id integer not null,
  site_id integer not null,
  type_id integer not null,
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
  constraint totals_day_office_type__pk primary key (office_id, day, type_id)
) with (fillfactor = 80);

create table totals_day_office (
  day date not null,
  office_id integer not null,
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
  detail_rows integer not null default 0, -- how many (day, agent) rows are below this one
  constraint totals_day_office__pk primary key (office_id, day)
) with (fillfactor = 80);

create table totals_month_agent_type (
  like totals_day_agent_type including defaults,
  constraint totals_month_agent_type__pk primary key (agent_id, day, type_id, office_id)
) with (fillfactor = 80);

create table totals_month_agent (
  like totals_day_agent including defaults,
  constraint totals_month_agent__pk primary key (agent_id, day, office_id)
) with (fillfactor = 80);

create table totals_month_office_type (
  like totals_day_office_type including defaults,
  constraint totals_month_office_type__pk primary key (office_id, day, type_id)
) with (fillfactor = 80);

create table totals_month_office (
  like totals_day_office including defaults,
  constraint totals_month_office__pk primary key (office_id, day)
) with (fillfactor = 80);

-- Questions about everybody begin with the day; the levels by link type are asked for one site at a time.
create index totals_day_agent_type__site on totals_day_agent_type (site_id, day desc, agent_id, office_id);
create index totals_day_agent__day on totals_day_agent (day desc, agent_id, office_id); -- the detail list in page order
create index totals_day_agent__office on totals_day_agent (office_id, day desc, agent_id); -- the same, of one office
create index totals_day_office_type__site on totals_day_office_type (site_id, day, office_id);
create index totals_day_office__day on totals_day_office (day, office_id);
create index totals_month_agent_type__site on totals_month_agent_type (site_id, day, agent_id, office_id);
create index totals_month_agent__day on totals_month_agent (day, agent_id, office_id);
create index totals_month_agent__office on totals_month_agent (office_id, day);
create index totals_month_office_type__site on totals_month_office_type (site_id, day, office_id);
create index totals_month_office__day on totals_month_office (day, office_id);

-- What the events have added and no level holds yet: written in the events' own transaction,
-- folded into all levels in one transaction every few seconds and before a report is read.
create table totals_pending (
  day date not null,
  agent_id integer not null,
  office_id integer not null,
  site_id integer not null,
  type_id integer not null,
  raws integer not null default 0,
  uniques integer not null default 0,
  sales integer not null default 0,
  bonus_sales integer not null default 0,
  avp_sales integer not null default 0,
  earning_cents bigint not null default 0,
  bonus_earning_cents bigint not null default 0,
  payout_centavos bigint not null default 0,
  bonus_payout_centavos bigint not null default 0,
  lpp integer not null default 0
);
