-- Mails carry files, and say what became of them. A text that is of no more use after give_up_at, such as a link, expires;
-- any other is kept with the row, so that it can be tried again.
alter table mails add column sealed_files bytea; -- encrypted like the text, as JSON
alter table mails add column account_id bigint; -- its reader, if it is for nobody else: not sent while the account may not sign in
alter table mails add column expires boolean not null default false;
alter table mails add column state text not null default 'waiting'; -- 'sent', 'failed', or 'held' and 'dropped' after a restore
alter table mails add column error text; -- of the last try
alter table mails add column tried_at timestamptz;

update mails set
  state = case when sent_at is not null then 'sent' when next_try_at is null then 'failed' else 'waiting' end,
  expires = give_up_at < written_at + interval '5 days';

alter table mails add constraint mails__account foreign key (account_id) references accounts (id) on delete cascade;

create index mails__account_id on mails (account_id) where account_id is not null;
create index mails__open on mails (state, written_at) where state <> 'sent';

-- While its mail is made, the due time is the end of the lease, as it is for mails.
alter table saved_views drop column mail_leased_until;

-- For the queue's page: what waits or has failed. Deliveries can be 'held' and 'dropped', too.
create index deliveries__open on deliveries (state, made_at) where state in ('waiting', 'failed', 'held');
