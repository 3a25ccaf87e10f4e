-- What signed postbacks were answered. While a signature is good, the same request gets the same answer.
create table signed_postbacks (
  digest bytea not null, -- SHA-256 of the site, the signature's time and what was signed
  answer text not null, -- JSON, in the order in which it was sent
  expires_at timestamptz not null, -- when the signature ends to be good
  constraint signed_postbacks__pk primary key (digest)
);

create index signed_postbacks__expires_at on signed_postbacks (expires_at); -- what can go

revoke update on signed_postbacks from tallyroom_app;
