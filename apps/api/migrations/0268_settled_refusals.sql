-- The bank said that a transfer was paid after all, although its message had refused its file: somebody asked, and entered it.
create table settled_refusals (
  run_line_id bigint not null,
  note text not null, -- what the bank said, and where it did
  made_at timestamptz not null,
  made_by bigint not null,
  made_by_name text not null,
  constraint settled_refusals__pk primary key (run_line_id)
);

revoke update, delete on settled_refusals from tallyroom_app;
