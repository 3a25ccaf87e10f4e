-- Whether a site ever reported orders before it approved them.
create index postbacks__pending_of_site on postbacks (site_id) where outcome = 'pending';
