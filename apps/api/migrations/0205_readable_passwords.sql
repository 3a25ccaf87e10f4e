-- That somebody could read the password of an account in a list before it was granted PAY.
alter table account_hands drop constraint account_hands__kind;
alter table account_hands
  add constraint account_hands__kind check (
    kind in (
      'made', 'password', 'email', 'username', 'pay', 'signed in as', 'revealed', 'readable', 'device',
      'own password', 'changed password', 'mailed password', 'operator password', 'own email'
    )
  );
