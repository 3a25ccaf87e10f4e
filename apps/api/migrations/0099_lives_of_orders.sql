-- An order can come back after its reversal, be taken back in part, and hold several products.

alter table sale_events add column restores uuid; -- the reversal after which this event counts its sale again
-- The sale that a restoration goes back to, and whatever is about a restoration. Null: it is, or is directly about, the sale itself.
alter table sale_events add column of_sale uuid;
alter table sale_events add column sold_at timestamptz; -- when that sale was made, or the one that a part was taken of
alter table sale_events add column part_ppm integer; -- the part of the sale that this difference takes back, in millionths
alter table sale_events add column amount_e4 bigint; -- what the merchant reported, in ten-thousandths; it changes no rate
alter table sale_events add column currency text;
alter table sale_events add column agent_suspended boolean not null default false; -- the agent was suspended when it came

alter table sale_events drop constraint sale_events__difference;

-- One by one: Citus adds no two constraints at once.
alter table sale_events add constraint sale_events__difference check (
  (quantity = 0) = (adjusts is not null)
  and (quantity = 0) = (backdating_id is not null or part_ppm is not null)
  and (backdating_id is null or part_ppm is null)
);
alter table sale_events add constraint sale_events__restores check (
  restores is null or (quantity = 1 and of_sale is not null and sold_at is not null)
);
alter table sale_events add constraint sale_events__part_ppm check (part_ppm between 1 and 1000000);

create index sale_events__sold_at on sale_events (sold_at) where sold_at is not null; -- what backdated rates change about them

alter table sites add column several_products boolean not null default false; -- an order may hold several of its link types
alter table sites add column counts_for_days integer not null default 0; -- after the click; 0: for ever
alter table sites add column part_rule text not null default 'ask'; -- what a reversal of a part of the amount does
alter table sites add constraint sites__counts_for_days check (counts_for_days between 0 and 3650);
alter table sites add constraint sites__part_rule check (part_rule in ('ask', 'whole', 'in-proportion'));

alter table postbacks add column amount_e4 bigint;
alter table postbacks add column currency text;

-- Whatever a person has to decide about is held, with its kind, which says what can be done about it.
alter table held_postbacks alter column earliest_at drop not null;
alter table held_postbacks add column kind text not null default 'early';
alter table held_postbacks alter column kind drop default;

insert into held_postbacks (postback_id, held_at, earliest_at, reason, kind)
select
  postback.id, postback.received_at, null, coalesce(postback.reason, ''),
  case
    when postback.event in ('void', 'chargeback', 'fraud') then 'which-sale'
    when postback.type_alias is null then 'other-click'
    else 'other-product'
  end
from postbacks as postback
left join postback_settlements as settlement on settlement.postback_id = postback.id
left join held_postbacks as held on held.postback_id = postback.id
where postback.outcome = 'conflict' and settlement.postback_id is null and held.postback_id is null;

create index held_postbacks__kind on held_postbacks (kind, held_at); -- what Home counts

alter table postback_settlements add column act text; -- what staff chose; null: it was delivered again, or settled by itself
alter table postback_settlements add column note text; -- why they did
