-- Home shows how many postbacks are in conflict, to everybody who may settle them and every ten seconds.
create index postbacks__conflicts on postbacks (received_at) where outcome = 'conflict';

-- Marks a database that was filled with the demo world: only there may made-up visitors come in. One row or none.
create table demo_world (
  filled_at timestamptz not null,
  constraint demo_world__pk primary key (filled_at)
);
-- Only the seed, which is the owner's, says so.
revoke insert, update, delete on demo_world from tallyroom_app;
