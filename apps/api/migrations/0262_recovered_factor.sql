-- That the second factor of an account was changed with a recovery code, which then approves nothing for some days.
alter table account_hands drop constraint account_hands__kind;
alter table account_hands drop constraint account_hands__own;
alter table account_hands
  add constraint account_hands__kind check (
    kind in (
      'made', 'password', 'email', 'new email', 'username', 'invited', 'pay', 'signed in as', 'revealed', 'readable', 'device',
      'own password', 'changed password', 'mailed password', 'operator password', 'operator factor', 'recovered factor', 'own email'
    )
  ),
  add constraint account_hands__own check (
    (
      kind in (
        'own password', 'changed password', 'mailed password', 'operator password', 'operator factor', 'recovered factor',
        'own email'
      )
    ) = (made_by = account_id)
  );
