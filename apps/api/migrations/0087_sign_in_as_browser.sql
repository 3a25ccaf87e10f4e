-- *Sign in as* works only in the browser that asked for it: the SHA-256 of a secret in its cookie. Null for everything
-- else, and for what was made before: such a session can be used, but doesn't lead back.
alter table sign_in_tokens add column browser_hash bytea;
alter table sessions add column browser_hash bytea;
