-- Postbacks that may be of one order: the same click and amount within a minute, under two order numbers. Each pair both ways.
create table likely_doubles (
  postback_id uuid not null,
  other_id uuid not null,
  constraint likely_doubles__pk primary key (postback_id, other_id)
);

-- What a delivery says, as JSON, from its first try on; of a fact, that is in its row.
alter table deliveries add column content text;
