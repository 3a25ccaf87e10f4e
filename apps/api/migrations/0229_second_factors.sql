-- The authenticator app of an account: its secret, encrypted, which counts once a code of it has been entered.
create table authenticators (
  account_id bigint not null,
  secret_sealed bytea not null,
  begun_at timestamptz not null,
  added_at timestamptz, -- null: no code yet
  last_step bigint not null, -- the 30 seconds, since 1970, of the last code that was used: older ones are refused
  constraint authenticators__pk primary key (account_id),
  constraint authenticators__account foreign key (account_id) references accounts (id) on delete cascade
);

-- In place of a code of an app that was lost: the SHA-256 of each.
create table recovery_codes (
  account_id bigint not null,
  code_hash bytea not null,
  made_at timestamptz not null,
  used_at timestamptz,
  constraint recovery_codes__pk primary key (account_id, code_hash),
  constraint recovery_codes__account foreign key (account_id) references accounts (id) on delete cascade
);

-- Between a right password and the code.
alter table sign_in_tokens drop constraint sign_in_tokens__purpose;
alter table sign_in_tokens
  add constraint sign_in_tokens__purpose check (purpose in ('remote-login', 'password-reset', 'partner', 'second-factor'));

alter table sessions drop constraint sessions__proved_by;
alter table sessions
  add constraint sessions__proved_by check (proved_by in ('password', 'password and code', 'password and recovery code'));
