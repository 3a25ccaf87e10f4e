-- What a form did, by the key that was made when it opened, so that sending it twice does it once. Written in the
-- transaction of the act. Kept for a week.
create table form_keys (
  account_id bigint not null,
  call text not null, -- method and path
  form_key text not null,
  body_sha256 bytea not null,
  did jsonb, -- what the transaction returned, as {"it": …}
  made_at timestamptz not null,
  constraint form_keys__pk primary key (account_id, call, form_key)
);

create index form_keys__made_at on form_keys (made_at); -- what can go
