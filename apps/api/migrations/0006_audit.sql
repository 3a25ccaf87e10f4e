-- The common logs: every authenticated call but the polled ones, secrets removed. Rows are only ever added;
-- each carries a hash over itself and the row before, so that a removed or changed row shows.

create table audit_log (
  id bigint not null, -- counts from 1 without a gap
  at timestamptz not null,
  account_id bigint,
  acting_account_id bigint,
  role smallint,
  username text not null,
  ip inet,
  account_name text not null default '',
  agent_id bigint,
  agent_name text not null default '',
  office_id bigint,
  office_name text not null default '',
  action_type text not null,
  action_name text not null,
  response_code smallint not null,
  post_params text not null default '{}',
  get_params text not null default '{}',
  previous_hash bytea not null,
  hash bytea not null,
  constraint audit_log__pk primary key (id),
  constraint audit_log__action_type check (
    action_type in ('LOGIN', 'LOGOUT', 'VIEW', 'SEARCH', 'CREATE', 'UPDATE', 'STATUS', 'DELETE', 'EXPORT')
  )
);

create index audit_log__at on audit_log (at desc, id); -- the common logs, newest first
create index audit_log__account_id on audit_log (account_id, at desc);
create index audit_log__office_id on audit_log (office_id, at desc);
