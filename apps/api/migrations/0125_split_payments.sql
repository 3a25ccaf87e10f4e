-- What a channel's limit splits is paid by several lines of one run, each of which is paid or fails by itself.
alter table payment_run_lines add column part smallint; -- 1 for the first; null: the whole

-- A balance is in one open run at most.
drop index payment_run_lines__open;
create unique index payment_run_lines__open
  on payment_run_lines (payee_kind, payee_id, currency, coalesce(part, 1::smallint)) where open;

-- Of the templates that new installations begin with: more than a transfer may have is owed to e-wallets, too.
update pay_file_templates
set layout = jsonb_set(layout, '{channels,2,split}', 'true')
where name = 'Batch transfer' and layout #>> '{channels,2,name}' = 'E-wallets'
  and not exists (select from pay_seals);
