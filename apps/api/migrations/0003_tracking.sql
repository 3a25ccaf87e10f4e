-- Clicks, sales and postbacks: the facts. Big tables carry no foreign keys and every key of theirs
-- contains agent_id, so that they can be distributed by it.

-- One row a click. Its public id (32 characters) is made of agent, link type, instant and nonce, so it is not stored.
create table clicks (
  clicked_at timestamptz not null, -- to the millisecond
  agent_id integer not null,
  type_id integer not null,
  site_id integer not null,
  office_id integer not null, -- the agent's office at that moment
  nonce integer not null,
  is_unique boolean not null, -- the first of this address on this agent's link type on this New York day
  counted boolean not null, -- false: the address was black-listed
  ip inet not null,
  referrer_id bigint,
  subs text[],
  constraint clicks__pk primary key (agent_id, clicked_at, nonce)
) partition by range (clicked_at);

create table clicks_default partition of clicks default;

-- Who was seen already: what makes a click unique. Partitions older than three months can go.
create table seen_visitors (
  day date not null,
  agent_id integer not null,
  type_id integer not null,
  ip inet not null,
  constraint seen_visitors__pk primary key (day, agent_id, type_id, ip)
) partition by range (day);

create table seen_visitors_default partition of seen_visitors default;

-- Referrers once each. The id is the first 52 bits of the text's SHA-256.
create table referrers (
  id bigint not null,
  referrer text not null,
  constraint referrers__pk primary key (id)
);

-- Sales, bonuses, paid clicks and their reversals. Rows are only ever added.
create table sale_events (
  id uuid not null,
  agent_id integer not null,
  occurred_at timestamptz not null,
  recorded_at timestamptz not null,
  event_type smallint not null, -- 0 sale, 1 bonus, 2 click
  quantity smallint not null, -- 1, or -1 for a reversal
  office_id integer not null,
  site_id integer not null,
  type_id integer not null,
  earning_cents bigint not null,
  payout_centavos bigint not null,
  lpp integer not null,
  avp boolean not null, -- whether the site counted for AVP at that moment
  rate_source text not null, -- whose rate it was: the link type's default, or the office's own
  fraud boolean not null, -- the click came from a black-listed address
  click_id text not null,
  transaction_id text,
  customer_email text,
  referrer_id bigint,
  reverses uuid,
  reversal text,
  postback_id uuid,
  constraint sale_events__pk primary key (agent_id, id),
  constraint sale_events__event_type check (event_type in (0, 1, 2)),
  constraint sale_events__quantity check (quantity in (1, -1)),
  constraint sale_events__rate_source check (rate_source in ('default', 'office')),
  constraint sale_events__reversal check (
    (quantity = 1 and reverses is null and reversal is null)
    or (quantity = -1 and reverses is not null and reversal in ('void', 'chargeback', 'fraud'))
  )
);

create index sale_events__occurred_at on sale_events (occurred_at desc, id); -- the sale log, newest first
create index sale_events__office on sale_events (office_id, occurred_at desc, id); -- the sale log of one office
create index sale_events__agent on sale_events (agent_id, occurred_at desc, id); -- the sale log of one agent
create index sale_events__click on sale_events (agent_id, click_id); -- the sales of one click

-- What makes a sale count once: one row for each (site, transaction or click, event), inserted first.
create table sale_keys (
  sale_key text not null,
  event_id uuid not null,
  agent_id integer not null,
  type_id integer not null,
  click_id text not null,
  constraint sale_keys__pk primary key (sale_key)
);

-- Every postback received, with the answer it got. Rows are only ever added.
create table postbacks (
  id uuid not null,
  received_at timestamptz not null,
  site_id bigint,
  method text not null,
  ip inet not null,
  params jsonb not null, -- as received, secrets removed
  click_id text,
  transaction_id text,
  event text,
  type_alias text,
  customer_email text,
  occurred_at timestamptz,
  outcome text not null,
  reason text,
  event_id uuid,
  agent_id integer,
  type_id integer,
  test boolean not null default false,
  constraint postbacks__pk primary key (id),
  constraint postbacks__outcome check (outcome in ('recorded', 'duplicate', 'waiting', 'conflict', 'refused'))
);

create index postbacks__received_at on postbacks (received_at desc, id); -- the Postbacks page, newest first
create index postbacks__site on postbacks (site_id, received_at desc, id); -- the same, of one site
create index postbacks__click on postbacks (click_id) where click_id is not null; -- the same, of one click

-- What became of a postback after its first answer. At most one row each, only ever added.
create table postback_settlements (
  postback_id uuid not null,
  settled_at timestamptz not null,
  outcome text not null,
  reason text,
  event_id uuid,
  settled_by bigint, -- the account that delivered it again; null: the settling job
  constraint postback_settlements__pk primary key (postback_id),
  constraint postback_settlements__outcome check (outcome in ('recorded', 'duplicate', 'refused'))
);

-- The queue of postbacks whose click, or whose sale to reverse, is not here yet.
create table waiting_postbacks (
  postback_id uuid not null,
  waits_for text not null,
  received_at timestamptz not null,
  next_try_at timestamptz not null,
  tries integer not null default 0,
  constraint waiting_postbacks__pk primary key (postback_id),
  constraint waiting_postbacks__waits_for check (waits_for in ('click', 'sale'))
);

create index waiting_postbacks__next_try_at on waiting_postbacks (next_try_at); -- what to try now

-- Test sales, which a merchant's developer makes: priced like real ones, counted nowhere.
create table test_sales (
  id uuid not null,
  postback_id uuid not null,
  site_id bigint not null,
  type_id bigint not null,
  sale_key text not null,
  event_type smallint not null,
  quantity smallint not null,
  earning_cents bigint not null,
  payout_centavos bigint not null,
  recorded_at timestamptz not null,
  constraint test_sales__pk primary key (id),
  constraint test_sales__sale_key unique (sale_key)
);

create table ip_blacklist (
  id bigint generated by default as identity,
  ip cidr not null,
  created_at timestamptz not null,
  constraint ip_blacklist__pk primary key (id),
  constraint ip_blacklist__ip unique (ip)
);

-- Raised whenever what processes keep in memory has changed; they also listen on the channel `changes`.
create table change_counters (
  topic text not null,
  changes bigint not null default 0,
  constraint change_counters__pk primary key (topic)
);

insert into change_counters (topic) values ('destinations'), ('ip-blacklist'), ('options');
