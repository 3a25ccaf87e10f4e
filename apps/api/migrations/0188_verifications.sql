-- What the last verification of each kind found. They run every night, and when somebody asks.
create table verifications (
  what text not null,
  asked_at timestamptz, -- by somebody; done once it has started since
  started_at timestamptz,
  ended_at timestamptz, -- of the last one that ended
  took_ms integer,
  night date, -- New York; the last night for which it ended
  told text not null default '', -- what was verified, in a sentence
  findings text[] not null default '{}', -- the first ones
  found integer not null default 0,
  head_number bigint, -- where its chain ended, and the hash of its end
  head_hash text,
  constraint verifications__pk primary key (what),
  constraint verifications__what check (what in ('pay', 'logs', 'totals')),
  constraint verifications__head check ((head_number is null) = (head_hash is null))
);

-- The first one is in the night after this upgrade.
insert into verifications (what, night)
select what, (now() at time zone 'America/New_York')::date
from unnest(array['pay', 'logs', 'totals']) as what;

revoke insert, delete on verifications from tallyroom_app;
