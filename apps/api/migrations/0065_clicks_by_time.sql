-- The key of clicks begins with the time: its entries are 8 bytes shorter without the padding before a timestamp, new
-- ones go to its right edge, where pages are filled, and the click log reads its order, so it needs no index of its own.
-- The columns are the same, and so is what the key refuses.
set local maintenance_work_mem = '256MB';

alter table clicks drop constraint clicks__pk;
drop index clicks__clicked_at;
alter table clicks add constraint clicks__pk primary key (clicked_at, agent_id, nonce);

-- The clicks of an agent on some days. By the day and not by the time, because PostgreSQL stores equal values once.
create index clicks__agent on clicks (agent_id, ((clicked_at at time zone 'UTC')::date));
