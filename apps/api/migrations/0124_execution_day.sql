-- The day on which a bank is to carry out a run: a day where the bank is, no New York day.
alter table pay_settings add column bank_time_zone text; -- IANA; the last row saved counts; null: America/New_York

alter table payment_runs add column execution_day date; -- null: the New York day on which the run was prepared

-- A file that leaves after its date has passed gets a new one, and differs from what was approved in nothing else.
alter table payment_run_files
  add column undated_sha256 bytea, -- of the bytes without their date; null if they have none, or before this was kept
  add column redates smallint, -- the place of the approved file that this one is, with a later date; null: approved
  add column execution_day date, -- the later date
  add column made_at timestamptz, -- when somebody chose it; null: approved
  add column made_by bigint,
  add column made_by_name text;

alter table payment_run_files
  add constraint payment_run_files__redates check (
    num_nulls(redates, execution_day, made_at, made_by, made_by_name) in (0, 5)
  );

alter table payment_run_files drop constraint payment_run_files__name;
create unique index payment_run_files__name on payment_run_files (name) where redates is null;
create unique index payment_run_files__redates on payment_run_files (run_id, redates) where redates is not null;
