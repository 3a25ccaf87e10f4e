-- What a call changed, in entries of the common logs from now on: the objects, as 'agent:5', and the names and values
-- before and after, as JSON text, which is part of the entry's hash.
alter table audit_log add column objects text[];
alter table audit_log add column changes text;

create index audit_log__objects on audit_log using gin (objects) where objects is not null; -- the history of one object
create index audit_log__changing on audit_log (id desc)
  where action_type in ('CREATE', 'UPDATE', 'STATUS', 'DELETE'); -- the common logs without the reads
