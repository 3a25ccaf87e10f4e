-- How and when the account's holder proved themselves in a session. Null: not at all (a partner's or a superadmin's
-- sign-in), or before this was kept.
alter table sessions add column proved_by text;
alter table sessions add column proved_at timestamptz;
alter table sessions add constraint sessions__proved_by check (proved_by in ('password'));
alter table sessions add constraint sessions__proved check ((proved_by is null) = (proved_at is null));
