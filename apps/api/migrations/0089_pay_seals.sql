-- Proof of what people decided about pay. A seal has the hash of one row's content. Seals form one chain, in which each
-- also hashes the one before it, so that a changed or removed seal shows. Rows are only ever added.
create table pay_seals (
  number bigint not null, -- counts from 1 without a gap
  -- 'row': written with the row, and again whenever it changes. 'gone': written when the row was deleted. 'begun': from
  -- here on, the table is sealed. 'found': a row that was there when its table's seals began.
  kind text not null,
  table_name text not null,
  row_key text not null, -- its primary key; '' for 'begun'
  content bytea, -- hash of all sealed columns
  fixed bytea, -- hash of those that never change
  was bytea, -- hash of all sealed columns just before the row was changed
  columns text[], -- of 'begun': the sealed columns
  begun_at timestamptz,
  hash bytea not null, -- of all this, and of the seal before
  constraint pay_seals__pk primary key (number),
  constraint pay_seals__kind check (kind in ('begun', 'found', 'row', 'gone'))
);

create index pay_seals__row on pay_seals (table_name, row_key, number desc); -- a row's newest seal

-- The last seal, so that a removed end of the chain shows. One row, which changes.
create table pay_seal_head (
  only_row boolean not null default true,
  number bigint not null,
  hash bytea not null,
  constraint pay_seal_head__pk primary key (only_row),
  constraint pay_seal_head__only_row check (only_row)
);

insert into pay_seal_head (number, hash) values (0, decode(repeat('00', 32), 'hex'));

revoke update, delete on pay_seals from tallyroom_app;
revoke insert, delete, update on pay_seal_head from tallyroom_app;
grant update (number, hash) on pay_seal_head to tallyroom_app;

-- What the app changes, and nothing else.
revoke update on pay_state, pay_file_templates from tallyroom_app;
grant update (first_day) on pay_state to tallyroom_app;
grant update (name, version, layout) on pay_file_templates to tallyroom_app;
