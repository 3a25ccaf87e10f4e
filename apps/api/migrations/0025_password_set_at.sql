-- When the account's password was last replaced; null for the first one. Devices that signed in before are
-- strangers again after it.

alter table accounts add column password_set_at timestamptz;
