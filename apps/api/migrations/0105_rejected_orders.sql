-- What the merchant rejected before any of it was counted. A report that comes later may be the first one, delayed.
create table rejected_orders (
  postback_id uuid not null, -- the rejection
  order_key text not null, -- the site and the order number, or else the click
  click_id text, -- null: it named only the order number
  event text, -- null: all of the order
  type_id bigint, -- null: every product
  occurred_at timestamptz not null,
  constraint rejected_orders__pk primary key (postback_id)
);

create index rejected_orders__order_key on rejected_orders (order_key); -- before a sale of the order is counted

-- Whether a new event of an order leaves no doubt: nobody settles the order, none of these keys is taken, and nothing of it
-- was rejected. The lock comes first, in a statement of its own: each statement of a volatile function has a snapshot of its
-- own, so the query sees what was committed before, unlike a condition of the statement that calls this.
create function order_is_open(lock_key text, blockers text[]) returns boolean
  language plpgsql
  volatile
  -- Always by key: the plan that a session makes while the tables are small would read all of them from then on.
  set enable_seqscan = off
as $$
begin
  if not pg_try_advisory_xact_lock_shared(7319, hashtext(lock_key)) then
    return false;
  end if;
  -- On a cluster, its keys are elsewhere and looked up by a statement of their own.
  if cardinality(blockers) = 0 then
    return not exists (select from rejected_orders where order_key = lock_key);
  end if;
  return not exists (select from rejected_orders where order_key = lock_key)
    and not exists (select from sale_keys where sale_key = any (blockers));
end
$$;
