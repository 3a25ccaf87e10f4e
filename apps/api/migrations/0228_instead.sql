-- The link type that visitors of a suspended site, or of its suspended link types, are sent to. Null: none.
alter table sites add column instead_type_id integer;
