-- Home counts the postbacks whose click or sale never came, every ten seconds. They have left the queue, and most of
-- those that ever waited are settled.
create index postbacks__waited on postbacks (received_at) where outcome = 'waiting';
-- What is held has a table of its own.
drop index postbacks__conflicts;
