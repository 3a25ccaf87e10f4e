-- What a payee was paid above its balance is taken back in instalments, by entries of the statements that follow.
alter table pay_proposals
  add column advanced bigint, -- of the amount: what was not owed yet
  add column instalments smallint; -- the number of statements

alter table pay_proposals
  add constraint pay_proposals__advanced check (
    (advanced is null) = (instalments is null)
    and (advanced is null or kind = 'payment outside' and advanced between 1 and amount and instalments between 1 and 24)
  );

alter table balance_entries
  drop constraint balance_entries__statement,
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
  );

create unique index balance_entries__of_statement on balance_entries (statement_id) where kind = 'statement';
create unique index balance_entries__instalment on balance_entries (proposal_id, statement_id) where kind = 'instalment';

drop index balance_entries__proposal;
create unique index balance_entries__proposal on balance_entries (proposal_id, kind, currency)
where proposal_id is not null and kind <> 'instalment';
