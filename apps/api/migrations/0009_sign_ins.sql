-- How often an account signed in, and when last: the lists of accounts show and sort by it, and the sessions
-- that it could be counted from grow for ever. Changed in the transaction that opens a session.

alter table accounts add column sign_in_count integer not null default 0;
alter table accounts add column last_sign_in_at timestamptz;

update accounts
set sign_in_count = counted.sessions, last_sign_in_at = counted.last
from (
  select account_id, count(*) as sessions, max(started_at) as last
  from sessions
  group by account_id
) as counted
where counted.account_id = accounts.id;

create index sale_keys__agent_id on sale_keys (agent_id); -- deleting an agent with its sales
