-- What the logs of clicks, sales and chats need to be quick over years.
-- Whatever is added here to clicks is work of every redirect, so it is next to nothing: one entry at the right
-- edge of a B-tree. Office, agent and site are found by way of the totals, which say who was clicked on which day.

create index clicks__clicked_at on clicks (clicked_at); -- the click log of everybody, newest first

-- The clicks of an address: a summary of each 16 pages, written later by autovacuum and not by the redirect.
-- At some 100 clicks a page these are 1,600 clicks, and nearly as many addresses.
create index clicks__ip on clicks using brin (ip inet_bloom_ops (n_distinct_per_range = 1600, false_positive_rate = 0.005))
  with (pages_per_range = 16, autosummarize = on);

-- Black-listed clicks, which no totals hold. Has no entry of any other click.
create index clicks__not_counted on clicks (clicked_at, office_id, agent_id, site_id) where not counted;

create index sale_events__site on sale_events (site_id, occurred_at desc, id); -- the sale log of one site
create index sale_events__email on sale_events ((lower(customer_email) collate "C"), occurred_at desc)
  where customer_email is not null; -- the sales to one customer
create index sale_events__reversals on sale_events (occurred_at desc, id) where quantity = -1; -- what was taken back

create index chat_logs__site_id on chat_logs (site_id, submitted_at desc); -- the chat log of one site
