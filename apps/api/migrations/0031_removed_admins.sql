-- When an admin is removed, its lines in the login logs stay, under the name that it had.
alter table sessions alter column account_id drop not null;
alter table sessions add column former_username text;
alter table sessions
  add constraint sessions__holder check ((account_id is null) = (former_username is not null));
