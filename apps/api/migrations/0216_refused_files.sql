-- The bank refused a whole file: what waits for a second person, and the bank's day in each failure that it makes.
alter table pay_proposals
  add column run_id bigint,
  add column file_name text, -- as approved
  add column refused_on date; -- the bank's day

alter table payment_results
  add column refused_on date; -- the bank's day; null unless it refused the file of the transfer

alter table payment_results
  add constraint payment_results__refused check (refused_on is null or not paid);

alter table pay_proposals
  drop constraint pay_proposals__kind,
  add constraint pay_proposals__kind check (
    kind in (
      'adjustment', 'exchange rate', 'result', 'return', 'limits', 'payment outside', 'correction', 'conversion',
      'tax rate', 'refused file'
    )
  ),
  drop constraint pay_proposals__content,
  add constraint pay_proposals__content check (
    case kind
      when 'adjustment' then
        payee_kind is not null and payee_id is not null and currency is not null and amount is not null
      when 'exchange rate' then period is not null and pesos_e4 is not null
      when 'limits' then limit_centavos is not null and limit_cents is not null
      when 'payment outside' then
        payee_kind is not null and payee_id is not null and currency is not null and amount > 0
        and way is not null and paid_on is not null and voucher is not null
      when 'correction' then
        payee_kind is not null and payee_id is not null and currency is not null and amount <> 0
      when 'conversion' then -- the amount is the whole balance
        payee_kind is not null and payee_id is not null and currency is not null and amount <> 0 and pesos_e4 > 0
      when 'tax rate' then
        payee_kind is not null and payee_id is not null and from_day is not null and tax_bp is not null
      when 'refused file' then -- the amount is of the lines that had no result
        payee_kind is null and payee_id is null and currency is not null and amount > 0
        and run_id is not null and file_name is not null and refused_on is not null
      else
        payee_kind is not null and payee_id is not null and currency is not null and amount is not null
        and run_line_id is not null and (kind = 'return') = (returned_on is not null)
    end
  );

-- What is under way was taken from the balance when its run was approved, so it holds back nothing else. A payee has each part once in
-- a run; that no two prepared ones have the same balance is the app's to check, under its lock.
drop index payment_run_lines__open;
create unique index payment_run_lines__open
  on payment_run_lines (run_id, payee_kind, payee_id, currency, coalesce(part, 1::smallint)) where open;
