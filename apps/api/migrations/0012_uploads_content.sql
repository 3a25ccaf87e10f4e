-- Pictures live in the database: it is what all processes and machines share, and what is backed up.

alter table uploads add column content bytea not null;

-- Pictures are compressed already.
alter table uploads alter column content set storage external;
