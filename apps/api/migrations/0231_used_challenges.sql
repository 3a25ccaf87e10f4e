-- What passkeys have signed: each challenge is good once. The SHA-256 of each, until it would be too late anyway.
create table used_challenges (
  challenge_hash bytea not null,
  expires_at timestamptz not null,
  constraint used_challenges__pk primary key (challenge_hash)
);

revoke update on used_challenges from tallyroom_app;
