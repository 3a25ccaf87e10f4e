-- What people and programs may want to hear of, each written in the transaction that makes it true. Sales are in `notices`.
create table facts (
  id uuid not null,
  kind text not null,
  happened_at timestamptz not null, -- the same for what one act did
  office_id bigint, -- whose it is, as it was then; null: the network's
  agent_id bigint,
  account_id bigint, -- who alone hears of it; null: whoever sees what is office's and agent's
  by_account_id bigint, -- who did it, and needs no telling
  subject jsonb not null, -- what is shown, with amounts as they were
  constraint facts__pk primary key (id),
  constraint facts__office foreign key (office_id) references offices (id) on delete cascade,
  constraint facts__agent foreign key (agent_id) references agents (id) on delete cascade,
  constraint facts__account foreign key (account_id) references accounts (id) on delete cascade
);

create index facts__happened_at on facts (happened_at);
create index facts__office_id on facts (office_id, happened_at) where office_id is not null;
create index facts__agent_id on facts (agent_id, happened_at) where agent_id is not null;
create index facts__account_id on facts (account_id) where account_id is not null;

-- What happened stays as it was.
revoke update on facts from tallyroom_app;

-- Up to when an account has read everything in its bell, and what it has read since.
create table bells (
  account_id bigint not null,
  read_until timestamptz not null,
  constraint bells__pk primary key (account_id),
  constraint bells__account foreign key (account_id) references accounts (id) on delete cascade
);

create table bell_reads (
  account_id bigint not null,
  fact_id uuid not null,
  constraint bell_reads__pk primary key (account_id, fact_id),
  constraint bell_reads__account foreign key (account_id) references accounts (id) on delete cascade,
  constraint bell_reads__fact foreign key (fact_id) references facts (id) on delete cascade
);

create index bell_reads__fact_id on bell_reads (fact_id);

revoke update on bell_reads from tallyroom_app;
