-- The months that an accountant has closed, each with all before it. What belongs there and is entered later is booked on the
-- first day after them.
create table closed_months (
  month text not null, -- YYYY-MM
  closed_at timestamptz not null,
  closed_by bigint, -- null: this upgrade
  closed_by_name text not null,
  as_entered boolean not null default false, -- what was entered until then is booked on that day, as it was exported
  constraint closed_months__pk primary key (month),
  constraint closed_months__month check (month ~ '^\d{4}-(0[1-9]|1[0-2])$')
);

revoke update, delete on closed_months from tallyroom_app;

-- Until now, everything was booked on the day on which it was entered. What was exported stays.
insert into closed_months (month, closed_at, closed_by_name, as_entered)
select to_char(now() at time zone 'America/New_York' - interval '1 month', 'YYYY-MM'), now(), 'the upgrade', true
where exists (select from balance_entries);

-- What a transfer is between its approval and the bank's day, and what payees got in advance.
alter table journal_accounts add column transit text not null default 'Payments in transit';
alter table journal_accounts alter column transit drop default;
alter table journal_accounts add column advances text not null default 'Advances to payees';
alter table journal_accounts alter column advances drop default;
