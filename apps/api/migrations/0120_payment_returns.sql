-- Transfers that came back after they had been paid: a fact of its own each. The result stays what it was.
create table payment_returns (
  run_line_id bigint not null,
  returned_on date not null, -- the bank's day
  reason text not null,
  by_hand boolean not null,
  made_at timestamptz not null,
  made_by bigint not null,
  made_by_name text not null,
  constraint payment_returns__pk primary key (run_line_id)
);

revoke update, delete on payment_returns from tallyroom_app;

alter table balance_entries
  drop constraint balance_entries__kind,
  add constraint balance_entries__kind check (
    (kind = 'statement' and statement_id is not null and run_line_id is null)
    or (kind = 'payment' and amount < 0 and statement_id is null and run_line_id is not null)
    or (kind in ('failed', 'cancelled', 'returned') and amount > 0 and statement_id is null
      and run_line_id is not null)
  );

-- Of a return that waits for a second person.
alter table pay_proposals add column returned_on date;

alter table pay_proposals
  drop constraint pay_proposals__kind,
  add constraint pay_proposals__kind check (
    kind in ('adjustment', 'exchange rate', 'result', 'return', 'limits')
  ),
  drop constraint pay_proposals__content,
  add constraint pay_proposals__content check (
    case kind
      when 'adjustment' then
        payee_kind is not null and payee_id is not null and currency is not null and amount is not null
      when 'exchange rate' then period is not null and pesos_e4 is not null
      when 'limits' then limit_centavos is not null and limit_cents is not null
      else
        payee_kind is not null and payee_id is not null and currency is not null and amount is not null
        and run_line_id is not null and (kind = 'return') = (returned_on is not null)
    end
  );
