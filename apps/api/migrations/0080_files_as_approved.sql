-- A run keeps how its files look from its preparation on: a template that changes afterwards is for later runs. Runs that
-- stand keep what their files had, or the template's present layout.
alter table payment_runs add column layout jsonb;

update payment_runs as run
set layout = coalesce(
  (
    select step.layout from payment_run_steps as step
    where step.run_id = run.id and step.step = 'files taken'
  ),
  (select template.layout from pay_file_templates as template where template.id = run.template_id)
);

alter table payment_runs alter column layout set not null;
alter table payment_run_steps drop column layout;

-- The files of an approved run, as the approver saw them. What leaves is this, whatever changes afterwards.
create table payment_run_files (
  run_id bigint not null,
  place smallint not null, -- 1 for the first
  name text not null,
  channel text not null,
  lines integer not null,
  amount bigint not null,
  sha256 bytea not null, -- of the bytes
  sealed bytea not null, -- the bytes; changes with the installation's secret alone
  constraint payment_run_files__pk primary key (run_id, place),
  constraint payment_run_files__name unique (name),
  constraint payment_run_files__sha256 check (length(sha256) = 32)
);

alter table payment_file_downloads add column sha256 bytea; -- of what left; null before hashes were kept

create index payment_run_lines__payee on payment_run_lines (payee_kind, payee_id, id); -- what a payee was paid before

revoke update, delete on payment_run_files from tallyroom_app;
grant update (sealed) on payment_run_files to tallyroom_app;
