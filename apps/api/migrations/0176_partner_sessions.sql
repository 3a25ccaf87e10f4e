-- Sessions that a partner system opened. They are not handed what opens other accounts, proved or not.
alter table sessions add column by_partner boolean not null default false;
-- Nobody else opens one without the password but *Sign in as*.
update sessions set by_partner = true where proved_by is null and signed_in_by is null;
