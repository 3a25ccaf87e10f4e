-- What a payee pays back: a proposal, which once approved is an entry of the balance, beside one for each advance that it ends.
alter table pay_proposals
  drop constraint pay_proposals__kind,
  add constraint pay_proposals__kind check (
    kind in (
      'adjustment', 'exchange rate', 'result', 'return', 'limits', 'payment outside', 'correction', 'conversion',
      'tax rate', 'refused file', 'money received'
    )
  ),
  drop constraint pay_proposals__way,
  add constraint pay_proposals__way check (
    way is null
    or (kind = 'payment outside' and way in ('cash', 'cheque', 'other'))
    or (kind = 'money received' and way in ('cash', 'transfer'))
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
      when 'money received' then
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

alter table balance_entries
  add column advance_id bigint; -- the proposal of the advance that is given back

alter table balance_entries
  add constraint balance_entries__advance check ((kind = 'given back') = (advance_id is not null)),
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
    or (kind = 'received' and amount > 0 and statement_id is null and run_line_id is null and proposal_id is not null)
    or (kind = 'given back' and amount < 0 and statement_id is null and run_line_id is null
      and proposal_id is not null)
  );

drop index balance_entries__proposal;
create unique index balance_entries__proposal on balance_entries (proposal_id, kind, currency)
where proposal_id is not null and kind not in ('instalment', 'given back');
create unique index balance_entries__given_back on balance_entries (advance_id, proposal_id) where kind = 'given back';
