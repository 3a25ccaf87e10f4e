-- The second factor by which somebody approved a run, a proposal or an account of a payee. Without a row, they had none.
create table act_factors (
  kind text not null, -- of what was approved
  thing_id bigint not null,
  made_by bigint not null,
  made_by_name text not null,
  made_at timestamptz not null,
  content bytea not null, -- SHA-256 of what was approved, which the passkey has signed
  rp_id text, -- what the passkey signed, and its key; null: a code of an authenticator app
  credential_id bytea,
  public_key bytea, -- in COSE
  authenticator_data bytea,
  client_data bytea,
  signature bytea,
  constraint act_factors__pk primary key (kind, thing_id, made_by),
  constraint act_factors__kind check (kind in ('run', 'proposal', 'account')),
  constraint act_factors__passkey check (
    num_nulls(rp_id, credential_id, public_key, authenticator_data, client_data, signature) in (0, 6)
  )
);

revoke update, delete on act_factors from tallyroom_app;
