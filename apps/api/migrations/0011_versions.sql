-- Who changes what somebody else has changed meanwhile is told: by the version that was seen.

alter table preferred_domains add column version integer not null default 1;
alter table office_fees add column version integer not null default 1;
