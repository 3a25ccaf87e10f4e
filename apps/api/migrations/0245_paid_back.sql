-- Money received that leaves nothing of a balance settles what was owed in it, as a correction to nothing does.
alter table settlements
  drop constraint settlements__kind,
  add constraint settlements__kind check (
    (kind in ('payment', 'cancelled', 'failed', 'returned') and run_line_id is not null and by_entry_id is null
      and into_statement_id is null)
    or (kind in ('outside', 'correction', 'conversion', 'given up', 'received') and by_entry_id is not null
      and run_line_id is null and into_statement_id is null)
    or (kind = 'carried' and into_statement_id is not null and run_line_id is null and by_entry_id is null and closes)
  );
