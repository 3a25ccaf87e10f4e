-- The bank's day on which a transfer was paid, if its statement said so; null otherwise, as of all results before this: then the day
-- that its file asked for counts.
alter table payment_results add column paid_on date;

alter table payment_results
  add constraint payment_results__paid_on check (paid_on is null or paid);
