-- A link by which a holder says that a sign-in wasn't theirs. It leads to a new password only while the address that it was
-- mailed to is the account's.
alter table sign_in_tokens drop constraint sign_in_tokens__purpose;
alter table sign_in_tokens
  add constraint sign_in_tokens__purpose check (
    purpose in ('remote-login', 'password-reset', 'partner', 'second-factor', 'address', 'invitation', 'not-me')
  );
