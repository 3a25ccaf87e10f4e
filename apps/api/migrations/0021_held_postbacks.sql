-- Postbacks that are dated before their click, or reversals dated before their sale: to be settled by a person.
create table held_postbacks (
  postback_id uuid not null,
  held_at timestamptz not null,
  earliest_at timestamptz not null, -- the instant of the click or sale: what it is recorded at, if it is
  reason text not null,
  constraint held_postbacks__pk primary key (postback_id)
);
