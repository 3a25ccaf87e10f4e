create index sale_events__agent_suspended on sale_events (agent_id, id)
  where agent_suspended; -- what is checked before a period is closed
