-- A postback answers two questions: what happened, and does it count. A site has its merchant's words for both.

alter table sites add column status_words jsonb not null default '{}'; -- word: counts, pending, rejected or reverses
alter table sites add column tracker text not null default ''; -- the software that sends its postbacks, if we know it

-- Whether the event counts, as the merchant said. Null: it was not read, or an older row, which counts.
alter table postbacks add column standing text;
-- Whether the merchant said so itself, so that an approval can bring back what was reversed.
alter table postbacks add column approved boolean not null default false;
-- The event that a reversal reverses, if the merchant named one.
alter table postbacks add column reverses text;
-- The parameter that says that money goes back, although the event does not: a person decides.
alter table postbacks add column takes_back text;

alter table postbacks add constraint postbacks__standing check (standing in ('counts', 'pending', 'rejected', 'reverses'));
alter table postbacks drop constraint postbacks__outcome;
alter table postbacks add constraint postbacks__outcome check (outcome in ('recorded', 'duplicate', 'waiting', 'conflict', 'refused', 'pending', 'rejected'));
alter table postback_settlements drop constraint postback_settlements__outcome;
alter table postback_settlements add constraint postback_settlements__outcome check (outcome in ('recorded', 'duplicate', 'refused', 'rejected'));

-- The postbacks that wait for the merchant's approval. Their orders are not counted yet.
create table pending_postbacks (
  postback_id uuid not null,
  site_id bigint not null,
  order_key text not null, -- the site and the order number, or else the click
  received_at timestamptz not null,
  constraint pending_postbacks__pk primary key (postback_id)
);

create index pending_postbacks__order_key on pending_postbacks (order_key); -- what a later report decides
create index pending_postbacks__received_at on pending_postbacks (received_at); -- what is due for a question
create index pending_postbacks__site on pending_postbacks (site_id); -- whether a site has any
