-- What the app's own role may do. It owns nothing.

do $$
declare
  -- Since PostgreSQL 16 who made a role is its member, but may not yet become it.
  privilege text := case when current_setting('server_version_num')::integer >= 160000 then 'set' else 'member' end;
begin
  if not pg_has_role(current_user, 'tallyroom_app', privilege) then
    execute format('grant tallyroom_app to %I', current_user);
  end if;
end
$$;

grant usage on schema public to tallyroom_app;
grant select, insert, update, delete on all tables in schema public to tallyroom_app;
grant usage on all sequences in schema public to tallyroom_app;
alter default privileges in schema public grant select, insert, update, delete on tables to tallyroom_app;
alter default privileges in schema public grant usage on sequences to tallyroom_app;

-- Events are only ever added. They may be deleted, never changed: deleting an agent deletes its history.
revoke update on clicks, clicks_default, sale_events, sale_keys from tallyroom_app;
-- What arrived, what became of it, and who did what stay for ever.
revoke update, delete on postbacks, postback_settlements, audit_log from tallyroom_app;
