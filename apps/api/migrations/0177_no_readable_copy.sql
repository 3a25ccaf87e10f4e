-- Whoever can move money has no readable copy of a password, as superadmins have none: else one person reads the other's
-- and is two. What may have been read sets a new password at the next sign-in.
update accounts
set password_sealed = null, must_change_password = true
where password_sealed is not null and (pay or role = 0);
alter table accounts
  add constraint accounts__no_readable_copy check (password_sealed is null or not pay and role <> 0);
