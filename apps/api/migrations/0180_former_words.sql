-- How a site's postbacks were read, and its orders counted, before each change: what was received before is judged by it.
-- Null in rows from before this was kept. Texts are empty where the site has none.
alter table former_site_flags add column click_param text;
alter table former_site_flags add column transaction_id_is_click boolean;
alter table former_site_flags add column always_ok_text text;
alter table former_site_flags add column event_words jsonb;
alter table former_site_flags add column status_words jsonb;
alter table former_site_flags add column tracker text;
alter table former_site_flags add column several_products boolean;
alter table former_site_flags add column counts_for_days integer;
alter table former_site_flags add column part_rule text;
