-- What a sale takes from its click's row, for the statement that also finds the rates. Only for a single server: on a cluster the
-- row is on a worker.
create function click_origin(of_agent integer, at timestamptz, of_nonce integer, of_type integer)
  returns table (office_id integer, fraud boolean, referrer_id bigint)
  language plpgsql
  stable
  rows 1
  -- Of the months, the plan chooses one when it runs. Planning for one each time costs more than the look-up.
  set plan_cache_mode = force_generic_plan
  -- Always by key: the plan of a month that is still empty would read all of it from then on.
  set enable_seqscan = off
as $$
begin
  return query
    select click.office_id, click.uncounted is not distinct from 'blacklisted', click.referrer_id
    from clicks as click
    where click.agent_id = of_agent and click.clicked_at = at
      and click.nonce = of_nonce and click.type_id = of_type;
end
$$;
