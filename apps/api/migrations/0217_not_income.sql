-- What an adjustment counts as, and the correction of a former balance. Null: nobody was asked yet, and it is earned.
alter table adjustments add column counts_as text;
alter table adjustments add constraint adjustments__counts_as check (
  counts_as is null or counts_as in ('earned', 'not income') and (counts_as = 'earned' or held_back_for is null)
);

alter table pay_proposals add column counts_as text;
alter table pay_proposals add constraint pay_proposals__counts_as check (
  counts_as is null
  or counts_as in ('earned', 'not income') and (kind = 'adjustment' or kind = 'correction')
    and (counts_as = 'earned' or held_back_for is null)
);

-- What of a statement's amount is not income; null without such an adjustment.
alter table statements add column not_income bigint;

alter table journal_accounts add column reimbursements text not null default 'Reimbursements';
alter table journal_accounts alter column reimbursements drop default;
