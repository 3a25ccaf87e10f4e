-- The bank's day on which a transfer failed, if its message said so; null otherwise, as of all results before this: then the day on
-- which it was entered counts.
alter table payment_results add column failed_on date;

alter table payment_results
  add constraint payment_results__failed_on check (failed_on is null or not paid and refused_on is null);
