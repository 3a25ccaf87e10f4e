-- Links that somebody tries out, for a day. A visit with the mark of one is kept here alone: it is no click.
create table link_tests (
  id text not null,
  agent_id bigint not null,
  type_id bigint not null,
  made_by bigint not null, -- the account that sees it
  made_at timestamptz not null,
  ends_at timestamptz not null, -- its mark is good until then
  click_id text, -- of the last visit, as the merchant got it
  visit jsonb, -- what the last visit brought, and where it was led; null: nobody has come yet
  constraint link_tests__pk primary key (id),
  constraint link_tests__agent foreign key (agent_id) references agents (id) on delete cascade
);

create index link_tests__agent_id on link_tests (agent_id);
create index link_tests__made_at on link_tests (made_at);
