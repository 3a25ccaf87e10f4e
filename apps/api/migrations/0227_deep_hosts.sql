-- Hosts besides that of a link type's URL to whose pages a site's links may lead.
alter table sites add column deep_hosts text[] not null default '{}';
