-- The bank's message refused the file of a transfer that was reported paid: a fact of its own each. The result stays what it was.
create table payment_refusals (
  run_line_id bigint not null,
  refused_on date not null, -- the bank's day
  reason text not null, -- in the bank's words
  message text not null, -- the kind of message that said it, such as pain.002.001.10
  message_id text, -- as the bank named it; null if it did not
  sha256 bytea not null, -- of its bytes
  made_at timestamptz not null,
  made_by bigint not null,
  made_by_name text not null,
  constraint payment_refusals__pk primary key (run_line_id)
);

revoke update, delete on payment_refusals from tallyroom_app;
