create index sale_events__differences on sale_events (occurred_at desc, id) where quantity = 0; -- those that the sale log leaves out
