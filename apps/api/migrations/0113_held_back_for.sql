-- The agent whose doubtful sales a minus adjustment holds back. It is taken back when the agent is cleared of fraud.
alter table adjustments add column held_back_for bigint;
alter table adjustments add constraint adjustments__held_back_for check (
  held_back_for is null or (amount < 0 and opposite_of is null)
);
create index adjustments__held_back_for on adjustments (held_back_for) where held_back_for is not null;

alter table pay_proposals add column held_back_for bigint;
alter table pay_proposals add constraint pay_proposals__held_back_for check (
  held_back_for is null or (kind = 'adjustment' and amount < 0 and opposite_of is null)
);
