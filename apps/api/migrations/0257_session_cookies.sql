-- Of the cookie without which a session's token is worth nothing; null: a program opened it, or an earlier release.
alter table sessions add column cookie_hash bytea;
