-- A run may pay a part of a balance. The rest stays in the balance, for the next run.
alter table payment_run_lines
  add column of_balance bigint, -- of which the payee's lines in this run are a part; null: they are all of it
  add column part_reason text;

alter table payment_run_lines
  add constraint payment_run_lines__of_balance check (
    (of_balance is null) = (part_reason is null) and (of_balance is null or amount < of_balance)
  );
