-- What an account hears of by mail, where it has chosen.
create table notification_choices (
  account_id bigint not null,
  topic text not null,
  choice text not null,
  chosen_at timestamptz not null,
  constraint notification_choices__pk primary key (account_id, topic),
  constraint notification_choices__account foreign key (account_id) references accounts (id) on delete cascade,
  constraint notification_choices__choice check (choice in ('off', 'at once', 'digest'))
);

-- Facts that nobody has looked at for mails yet, each written with its fact.
create table untold_facts (
  fact_id uuid not null,
  constraint untold_facts__pk primary key (fact_id),
  constraint untold_facts__fact foreign key (fact_id) references facts (id) on delete cascade
);

revoke update on untold_facts from tallyroom_app;

-- What is to be mailed to whom. Whether they may still read of it is looked up when the mail is written.
create table fact_mails (
  account_id bigint not null,
  fact_id uuid not null,
  topic text not null,
  digest boolean not null, -- false: at once, or when the topic's pause is over
  due_at timestamptz not null,
  constraint fact_mails__pk primary key (account_id, fact_id),
  constraint fact_mails__account foreign key (account_id) references accounts (id) on delete cascade,
  constraint fact_mails__fact foreign key (fact_id) references facts (id) on delete cascade
);

create index fact_mails__due_at on fact_mails (due_at);
create index fact_mails__fact_id on fact_mails (fact_id);

-- When an account was last mailed about a topic.
create table mailed_topics (
  account_id bigint not null,
  topic text not null,
  mailed_at timestamptz not null,
  constraint mailed_topics__pk primary key (account_id, topic),
  constraint mailed_topics__account foreign key (account_id) references accounts (id) on delete cascade
);

-- Encrypted and removed like the text.
alter table mails add column sealed_html bytea;
-- Where mail programs end mails like this one.
alter table mails add column unsubscribe_url text;
