-- How a holder set a password, since whoever had a hand in the account may have done it: with the one before ('changed
-- password'), by a mailed link, or with one from the command line; and that they set the address. 'own password' is that of
-- earlier releases, and of accounts that have no address.
alter table account_hands drop constraint account_hands__kind;
alter table account_hands drop constraint account_hands__own_password;
alter table account_hands
  add constraint account_hands__kind check (
    kind in (
      'made', 'password', 'email', 'username', 'pay', 'signed in as', 'revealed', 'device',
      'own password', 'changed password', 'mailed password', 'operator password', 'own email'
    )
  ),
  add constraint account_hands__own check (
    (kind in ('own password', 'changed password', 'mailed password', 'operator password', 'own email'))
      = (made_by = account_id)
  );
