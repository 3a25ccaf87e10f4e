-- The rate at which tax is withheld from what a payee earns: a proposal, which is in force from its day on once it is approved.
alter table pay_proposals
  add column from_day date, -- New York
  add column tax_bp smallint, -- hundredths of a percent; 0: none is withheld from then on
  add column tax_code text; -- of the kind of income, as the tax office calls it

alter table pay_proposals
  drop constraint pay_proposals__kind,
  add constraint pay_proposals__kind check (
    kind in (
      'adjustment', 'exchange rate', 'result', 'return', 'limits', 'payment outside', 'correction', 'conversion',
      'tax rate'
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
      else
        payee_kind is not null and payee_id is not null and currency is not null and amount is not null
        and run_line_id is not null and (kind = 'return') = (returned_on is not null)
    end
  ),
  add constraint pay_proposals__tax check (
    (kind = 'tax rate') = (from_day is not null) and (kind = 'tax rate') = (tax_bp is not null)
    and tax_bp between 0 and 5000 and (tax_code is not null) = (coalesce(tax_bp, 0) > 0)
  );

-- What a statement withholds, or gives back of it, is an entry beside the statement's own.
alter table balance_entries
  drop constraint balance_entries__kind,
  add constraint balance_entries__kind check (
    (kind = 'statement' and statement_id is not null and run_line_id is null and proposal_id is null)
    or (kind = 'payment' and amount < 0 and statement_id is null and run_line_id is not null and proposal_id is null)
    or (kind in ('failed', 'cancelled', 'returned') and amount > 0 and statement_id is null
      and run_line_id is not null and proposal_id is null)
    or (kind = 'outside' and amount < 0 and statement_id is null and run_line_id is null
      and proposal_id is not null)
    or (kind in ('correction', 'conversion') and amount <> 0 and statement_id is null and run_line_id is null
      and proposal_id is not null)
    or (kind = 'advance' and amount > 0 and statement_id is null and run_line_id is null and proposal_id is not null)
    or (kind = 'instalment' and amount < 0 and statement_id is not null and run_line_id is null
      and proposal_id is not null)
    or (kind = 'tax' and amount <> 0 and statement_id is not null and run_line_id is null and proposal_id is null)
  );

create unique index balance_entries__tax on balance_entries (statement_id) where kind = 'tax';
create index balance_entries__taken on balance_entries (statement_id) where kind in ('instalment', 'tax');

alter table journal_accounts add column withheld text not null default 'Withholding tax payable';
alter table journal_accounts alter column withheld drop default;
