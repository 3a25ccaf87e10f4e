-- Who was seen, in 16 bytes of a row instead of 19 to 31, which PostgreSQL rounds up to 16 and 24 to 32.
-- Months that can no longer matter are not taken over.
-- Four months may be millions of rows, which are sorted twice.
set local work_mem = '128MB';
set local maintenance_work_mem = '256MB';

do $$
declare
  oldest date := date_trunc('month', now() at time zone 'America/New_York')::date - interval '3 months';
  names text[];
  bounds text[];
begin
  select
    array_agg(relname::text order by relname),
    array_agg(pg_get_expr(relpartbound, pg_class.oid) order by relname)
  into names, bounds
  from pg_inherits
  join pg_class on pg_class.oid = inhrelid
  where inhparent = 'seen_visitors'::regclass
    and (relname = 'seen_visitors_default' or relname >= 'seen_visitors_' || to_char(oldest, 'YYYY_MM'));

  -- Everything is read before anything is dropped: Citus refuses the opposite.
  for place in 1 .. cardinality(names) loop
    execute format(
      'create table %I (day date not null, agent_id integer not null, visitor bytea not null)',
      'slim_' || names[place]
    );
    execute format(
      'insert into %I (day, agent_id, visitor)
       select distinct
         day, agent_id,
         ltrim(int4send(type_id), ''\x00'') || substr(inet_send(ip), 5, case family(ip) when 4 then 4 else 8 end)
       from %I where day >= %L',
      'slim_' || names[place], names[place], oldest
    );
  end loop;

  drop table seen_visitors;
  create table seen_visitors (
    day date not null,
    agent_id integer not null,
    -- The link type without leading zero bytes, then the IPv4 address or the /64 of the IPv6 address: every length is
    -- that of one kind, so no two visitors have the same.
    visitor bytea not null,
    constraint seen_visitors__pk primary key (day, agent_id, visitor)
  ) partition by range (day);

  -- A key is built faster over rows than row by row.
  for place in 1 .. cardinality(names) loop
    execute format('alter table %I rename to %I', 'slim_' || names[place], names[place]);
    execute format(
      'alter table %I add constraint %I primary key (day, agent_id, visitor)',
      names[place],
      names[place] || case names[place] when 'seen_visitors_default' then '_pkey' else '__pk' end
    );
    execute format('alter table seen_visitors attach partition %I %s', names[place], bounds[place]);
  end loop;
end
$$;
