-- What a payee was paid outside of payment runs: a proposal, which once approved is an entry of the balance.
alter table pay_proposals
  add column way text, -- how it was paid
  add column paid_on date, -- New York
  add column voucher text;

alter table pay_proposals
  drop constraint pay_proposals__kind,
  add constraint pay_proposals__kind check (
    kind in ('adjustment', 'exchange rate', 'result', 'return', 'limits', 'payment outside')
  ),
  add constraint pay_proposals__way check (way in ('cash', 'cheque', 'other')),
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
      else
        payee_kind is not null and payee_id is not null and currency is not null and amount is not null
        and run_line_id is not null and (kind = 'return') = (returned_on is not null)
    end
  );

alter table balance_entries
  add column proposal_id bigint; -- of an entry that a second person approved

alter table balance_entries
  drop constraint balance_entries__kind,
  add constraint balance_entries__kind check (
    (kind = 'statement' and statement_id is not null and run_line_id is null and proposal_id is null)
    or (kind = 'payment' and amount < 0 and statement_id is null and run_line_id is not null and proposal_id is null)
    or (kind in ('failed', 'cancelled', 'returned') and amount > 0 and statement_id is null
      and run_line_id is not null and proposal_id is null)
    or (kind = 'outside' and amount < 0 and statement_id is null and run_line_id is null
      and proposal_id is not null)
  );

create unique index balance_entries__proposal on balance_entries (proposal_id, currency) where proposal_id is not null;
