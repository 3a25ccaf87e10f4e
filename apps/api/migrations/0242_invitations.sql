-- When an account whose holder has no password yet was last invited to choose one, or made to be. Null: they have one.
alter table accounts add column invited_at timestamptz;
-- Until when the link of the invitation is valid. Null: there is no link, or it was withdrawn.
alter table accounts add column invitation_ends_at timestamptz;
