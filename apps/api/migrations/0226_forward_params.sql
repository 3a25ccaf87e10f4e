-- Whether what a visitor's URL carries besides sub ids is added to the merchant's URL. Links that exist go on as they are.
alter table link_types add column forward_params boolean not null default false;
