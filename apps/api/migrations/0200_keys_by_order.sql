-- On a cluster, the keys of an order lie on one machine: by a hash of the order that they name. Other keys lie by themselves.
alter table sale_keys add column order_hash bigint;

update sale_keys
set order_hash = ('x' || left(encode(sha256(convert_to(
  case when sale_key ~ '^(reversal|restore):' then sale_key else regexp_replace(sale_key, ':[^:]*$', '') end,
  'UTF8'
)), 'hex'), 13))::bit(52)::bigint;

alter table sale_keys alter column order_hash set not null;

alter table sale_keys drop constraint sale_keys__pk;

-- Each key has one hash, so it is still unique by itself.
alter table sale_keys add constraint sale_keys__pk primary key (sale_key, order_hash);
