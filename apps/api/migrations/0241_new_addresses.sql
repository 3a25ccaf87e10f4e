-- An address that becomes an account's once the link that was mailed to it is opened, and who entered it. Null: none waits.
alter table accounts add column new_email text;
alter table accounts add column new_email_by bigint;

-- To which address the link with the token was mailed. Null: to none, or it does not matter.
alter table sign_in_tokens add column sent_to text;

alter table sign_in_tokens drop constraint sign_in_tokens__purpose;
alter table sign_in_tokens
  add constraint sign_in_tokens__purpose check (
    purpose in ('remote-login', 'password-reset', 'partner', 'second-factor', 'address', 'invitation')
  );

-- 'new email': an address was entered that is not confirmed yet. 'invited': somebody was given a link to the first password.
alter table account_hands drop constraint account_hands__kind;
alter table account_hands
  add constraint account_hands__kind check (
    kind in (
      'made', 'password', 'email', 'new email', 'username', 'invited', 'pay', 'signed in as', 'revealed', 'readable', 'device',
      'own password', 'changed password', 'mailed password', 'operator password', 'own email'
    )
  );
