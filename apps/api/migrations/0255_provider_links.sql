-- Accounts of staff at the sign-in provider of the network. Each was matched once by its verified address, and is known by issuer
-- and subject from then on.
create table provider_links (
  account_id bigint not null,
  issuer text not null,
  subject text not null,
  email text not null, -- by which it was matched
  linked_at timestamptz not null,
  last_used_at timestamptz not null,
  constraint provider_links__pk primary key (issuer, subject),
  constraint provider_links__account_id unique (account_id, issuer),
  constraint provider_links__account foreign key (account_id) references accounts (id) on delete cascade
);

revoke update on provider_links from tallyroom_app;
grant update (last_used_at) on provider_links to tallyroom_app;

-- Of a session that was opened through the provider: whether a second factor was given, there or here. Null for every other.
alter table sessions add column provider_factor boolean;

-- Whether staff sign in no other way, while a provider is configured.
alter table sign_in_rules add column provider_only boolean not null default false;

-- A step to a second factor after the provider, in place of the password.
alter table sign_in_tokens drop constraint sign_in_tokens__purpose;
alter table sign_in_tokens
  add constraint sign_in_tokens__purpose check (
    purpose in (
      'remote-login', 'password-reset', 'partner', 'second-factor', 'address', 'invitation', 'not-me', 'provider-factor'
    )
  );
