-- The first day of the first period may move until a period is closed. Each setting says what it moved to, so that the
-- state of pay never changes but for its epoch, which a restore raises as the owner.
alter table pay_settings add column first_day date; -- null: as before

revoke update on pay_state from tallyroom_app;
revoke update (first_day) on pay_state from tallyroom_app;

-- A schedule is replaced as a whole.
revoke update on avp_tiers from tallyroom_app;
