-- Why a payee is on hold is for staff alone. The payee reads a text of their own, or the usual sentence. Every reason
-- entered so far becomes the staff's.
alter table pay_holds add column told text; -- for the payee; null: the usual sentence
alter table pay_holds add column account_id bigint; -- the payment account that the payee says they did not enter
create index pay_holds__account on pay_holds (account_id) where account_id is not null;
