-- Months of clicks that were written to Parquet files. Their rows are gone; these sums stand for them.

create table click_archives (
  month date not null, -- its first day. A UTC month, like the partitions of clicks
  file text not null, -- its name in the archive folder
  sha256 text not null, -- of the file, in hex
  content_sha256 text not null, -- of its rows, in hex: the same whatever the compression
  bytes bigint not null,
  clicks bigint not null,
  archived_at timestamptz not null,
  replaced_file text, -- the file before an agent was purged from it, until it is deleted
  constraint click_archives__pk primary key (month)
);

-- The clicks of an archived month by New York day, agent, office, site and link type.
create table click_seals (
  month date not null,
  day date not null,
  agent_id integer not null,
  office_id integer not null,
  site_id integer not null,
  type_id integer not null,
  clicks integer not null, -- counted or not
  blacklisted integer not null,
  raws integer not null, -- those that count
  uniques integer not null,
  constraint click_seals__pk primary key (agent_id, day, type_id, office_id, site_id, month)
);

create index click_seals__month on click_seals (month, agent_id); -- restoring a month, and who is in it

-- Deleted agents whose clicks are still in the file of a month.
create table archive_purges (
  month date not null,
  agent_id integer not null,
  constraint archive_purges__pk primary key (month, agent_id)
);

revoke insert, update, delete on click_archives, click_seals, archive_purges from tallyroom_app;

-- As before, and the sums of archived months.
create or replace function delete_events_of_removed_agent(removed_agent_id integer) returns void
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
  insert into public.archive_purges (month, agent_id)
  select distinct month, agent_id from public.click_seals where agent_id = removed_agent_id
  on conflict do nothing;
  delete from public.click_seals where agent_id = removed_agent_id;
end
$$;
