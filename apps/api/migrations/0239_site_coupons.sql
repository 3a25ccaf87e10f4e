-- Whether a code counts before the click of the same order, and what codes agents may make: `*` is their part. Empty: none.
alter table sites add column coupon_wins boolean not null default false;
alter table sites add column coupon_pattern text not null default '';
