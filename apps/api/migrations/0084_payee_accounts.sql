-- Two payees with one account are found by a keyed digest of institution and number, without decrypting either. Its
-- first bytes identify the key. Accounts from before get theirs at the next start. Both change with the secret alone.
alter table payee_accounts add column number_digest bytea;
create index payee_accounts__number_digest on payee_accounts (number_digest); -- other payees with the same account

-- The first day on which it can be paid, New York; null for accounts from before. Kept, so that a shorter wait acts only
-- on accounts that are entered afterwards.
alter table payee_accounts add column paid_from date;

-- Who gave cause for a doubt, and when, as far as known: {"password set": {"by": "ann", "at": "2026-11-20T…"}}
alter table payee_accounts add column doubt_details jsonb;

-- Other payees for whom the same account was entered before this one, or while this one was waiting. Such an account needs
-- two confirmations.
create table payee_account_shares (
  account_id bigint not null,
  payee_kind text not null, -- of the other payee
  payee_id integer not null,
  noted_at timestamptz not null,
  constraint payee_account_shares__pk primary key (account_id, payee_kind, payee_id),
  constraint payee_account_shares__payee_kind check (payee_kind in ('office', 'agent'))
);

alter table pay_settings add column waiting_days smallint; -- of a new account; the last row saved counts; null: 3
alter table pay_settings
  add constraint pay_settings__waiting_days check (waiting_days between 0 and 30);

revoke update, delete on payee_account_shares from tallyroom_app;
grant update (number_digest) on payee_accounts to tallyroom_app;
