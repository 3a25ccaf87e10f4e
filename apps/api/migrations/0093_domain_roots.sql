-- Where visitors go who open a domain of links without a link. Null: a small page of the brand.
alter table preferred_domains add column root_url text;
