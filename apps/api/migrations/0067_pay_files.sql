-- How the files of a run look, kept when the first one is taken. A template that changes afterwards would distribute the
-- transfers over other files, and the bank would pay some of them twice.
alter table payment_run_steps add column layout jsonb; -- of 'files taken'

update payment_run_steps as step
set layout = template.layout
from payment_runs as run
join pay_file_templates as template on template.id = run.template_id
where run.id = step.run_id and step.step = 'files taken';

-- A payee's own minimum has a currency: after a change of currency, 500 pesos are not 500 dollars. Of each currency, the
-- last row counts.
alter table pay_minimums add column currency text;

update pay_minimums as minimum
set currency = coalesce(
  (
    select account.currency
    from payee_accounts as account
    where account.payee_kind = minimum.payee_kind and account.payee_id = minimum.payee_id
      and account.confirmations <= (
        select count(*)
        from payee_account_decisions as decision
        where decision.account_id = account.id and decision.confirmed
          and decision.decided_at <= minimum.set_at
      )
    order by account.id desc
    limit 1
  ),
  'PHP'
);

alter table pay_minimums alter column currency set not null;
alter table pay_minimums
  add constraint pay_minimums__currency check (currency in ('PHP', 'USD'));

drop index pay_minimums__payee;
create index pay_minimums__payee on pay_minimums (payee_kind, payee_id, currency, id desc);
