-- Without a key, a cluster can only move this table's shards by what its rows are. One server writes nothing more for it.
alter table totals_pending replica identity full;
