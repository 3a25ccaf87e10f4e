-- What the common logs and the login logs need to be chained and quick, and what signing in as another needs.

-- The last entry of the common logs. Whoever adds to them locks it, which is what keeps their ids without a gap.
create table audit_head (
  only_row boolean not null default true,
  last_id bigint not null,
  last_at timestamptz not null,
  last_hash bytea not null,
  constraint audit_head__pk primary key (only_row),
  constraint audit_head__only_row check (only_row)
);

insert into audit_head (last_id, last_at, last_hash)
values (0, 'epoch', decode(repeat('00', 32), 'hex'));

revoke insert, delete on audit_head from tallyroom_app;

-- Entries are listed and counted by id: it has no gap and rises with the time.
drop index audit_log__at;
drop index audit_log__account_id;
drop index audit_log__office_id;
create index audit_log__at on audit_log (at, id); -- the first and last id of some days
create index audit_log__account_id on audit_log (account_id, id);
create index audit_log__office_id on audit_log (office_id, id) where office_id is not null;
create index audit_log__agent_id on audit_log (agent_id, id) where agent_id is not null;
create index audit_log__username on audit_log ((lower(username) collate "C"), id); -- and which names there are
create index audit_log__ip on audit_log (ip, id);
-- Few different values, so that an entry takes next to no room: how many there are, and the rare ones.
create index audit_log__role on audit_log (role);
create index audit_log__action_type on audit_log (action_type);
create index audit_log__action_name on audit_log (action_name collate "C");
create index audit_log__response_code on audit_log (response_code);

create index sessions__ip on sessions (ip, started_at desc); -- the login logs of an address

-- The session in which a superadmin signed in as another: that sign-in leads back to it and ends with it.
alter table sign_in_tokens add column made_in uuid;
alter table sessions add column signed_in_from uuid;
create index sessions__signed_in_from on sessions (signed_in_from) where signed_in_from is not null;
