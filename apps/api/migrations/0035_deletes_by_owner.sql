-- Events are only ever added, and deleted with their agent alone: by the owner, for an agent that is gone, in the
-- transaction that removes it or after. The app's own role can then delete no sale of an agent that is there.
-- A cluster gives the right back (`cli db distribute`): Citus lets no transaction change tables as two roles.

revoke delete on clicks, sale_events, sale_keys from tallyroom_app;

do $$
declare
  partition regclass;
begin
  for partition in select inhrelid::regclass from pg_inherits where inhparent = 'clicks'::regclass loop
    execute format('revoke update, delete on %s from tallyroom_app', partition);
  end loop;
end
$$;

create function delete_events_of_removed_agent(removed_agent_id integer) returns void
  language plpgsql
  security definer
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  if removed_agent_id is null or removed_agent_id < 1 then
    raise exception 'there is no agent %', removed_agent_id using errcode = '22023';
  end if;
  if exists (select from public.agents where id = removed_agent_id) then
    raise exception 'agent % is there: remove it first', removed_agent_id using errcode = '42501';
  end if;
  delete from public.clicks where agent_id = removed_agent_id;
  delete from public.sale_keys where agent_id = removed_agent_id;
  delete from public.sale_events where agent_id = removed_agent_id;
end
$$;

revoke all on function delete_events_of_removed_agent(integer) from public;
grant execute on function delete_events_of_removed_agent(integer) to tallyroom_app;
