-- Why a click is kept without being counted, and the browser that it was made with.
alter table clicks add column user_agent_id bigint;
-- 'blacklisted', 'prefetch', 'headless' or 'too many'. Null when counted, and for black-listed clicks of before.
alter table clicks add column uncounted text;

-- User agents once each. The id is the first 52 bits of the text's SHA-256.
create table user_agents (
  id bigint not null,
  user_agent text not null,
  constraint user_agents__pk primary key (id)
);

-- How often crawlers followed a link on a New York day. They leave no clicks.
create table crawler_visits (
  day date not null,
  agent_id integer not null,
  type_id integer not null,
  office_id integer not null, -- the agent's at that moment
  site_id integer not null,
  visits bigint not null,
  constraint crawler_visits__pk primary key (day, agent_id, type_id, office_id)
);

-- An IPv6 visitor is a /64 from now on: whoever was seen on the last days was seen from all of theirs.
insert into seen_visitors (day, agent_id, type_id, ip)
select distinct day, agent_id, type_id, network(set_masklen(ip, 64))::inet
from seen_visitors
where family(ip) = 6 and day >= current_date - 8
on conflict do nothing;
