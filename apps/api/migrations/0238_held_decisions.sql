-- What is said about a held postback besides what it is held for. No row: nothing.
create table held_followups (
  postback_id uuid not null,
  put_off_until date, -- the New York day on which it is asked again
  assigned_to bigint, -- the account that is to decide
  changed_at timestamptz not null,
  constraint held_followups__pk primary key (postback_id)
);

-- Decisions that can still be undone. Each is carried out when it is due, unless it would do something else by then.
create table held_decisions (
  postback_id uuid not null,
  act text not null,
  sale_id uuid, -- the sale to take back, if it was chosen
  effect text not null, -- what it was shown to do
  note text not null,
  decided_by bigint not null,
  decided_at timestamptz not null,
  due_at timestamptz not null,
  signature bytea not null, -- of all but when it is due: a row that the app has not made is not carried out
  constraint held_decisions__pk primary key (postback_id)
);

create index held_decisions__due_at on held_decisions (due_at);
