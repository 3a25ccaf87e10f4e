-- How many days after a period its pay is held, for returns and chargebacks of its sales.
alter table pay_settings add column holding_days smallint; -- of periods from from_day on; null: 0
alter table pay_settings
  add constraint pay_settings__holding_days check (holding_days between 0 and 90);

alter table statements add column paid_from date; -- New York; what the statement adds is held until then; null: not at all

create index statements__paid_from on statements (paid_from) where paid_from is not null; -- what is held now
