-- Finds a sale by its id or order number, and its postbacks.

create index sale_events__id on sale_events (id); -- the page of a sale
create index sale_events__order on sale_events ((lower(transaction_id) collate "C"), occurred_at desc)
  where transaction_id is not null; -- sales by order number, or by its beginning

create index postbacks__transaction on postbacks (transaction_id)
  where transaction_id is not null; -- the postbacks about an order
