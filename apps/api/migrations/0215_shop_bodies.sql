-- Shops' own bodies: a refund names its order by the shop's id, and a new webhook is tried with nothing in it.

alter table postbacks drop constraint postbacks__outcome;
alter table postbacks add constraint postbacks__outcome check (outcome in ('recorded', 'duplicate', 'waiting', 'conflict', 'refused', 'pending', 'rejected', 'ignored'));

-- By which number an order was reported that has this id of its shop.
create index postbacks__shop_order on postbacks (site_id, (params ->> 'id'))
  where params ? 'id' and transaction_id is not null;
