-- Statements say why rates were backdated. What was written before is for staff.
alter table rate_backdatings add column payees_read boolean not null default false;
