-- Autovacuum would keep folds waiting for a second, until PostgreSQL cancels it. The app vacuums the table every ten seconds.
alter table totals_pending set (autovacuum_enabled = false);
