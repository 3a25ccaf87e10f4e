-- Which file of an approved run has a transfer. Runs approved before have none, and count as sent with their first file.
create table payment_file_lines (
  run_line_id bigint not null,
  run_id bigint not null,
  name text not null, -- of the file as approved; one with a later date has the same
  constraint payment_file_lines__pk primary key (run_line_id)
);

create index payment_file_lines__run on payment_file_lines (run_id);

revoke update, delete on payment_file_lines from tallyroom_app;
