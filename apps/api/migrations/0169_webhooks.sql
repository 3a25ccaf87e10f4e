-- A webhook is a target that gets signed JSON by POST.
alter table postback_targets add column format text not null default 'postback'; -- or 'webhook'
alter table postback_targets add column sealed_secret bytea; -- encrypted: signs what is sent
alter table postback_targets add column former_secret bytea; -- the one before it, which also signs until former_until
alter table postback_targets add column former_until timestamptz;
alter table postback_targets add constraint postback_targets__secret check ((format = 'webhook') = (sealed_secret is not null));

alter table delivery_tries add column body text; -- what was sent by POST

-- Facts that are not sales have no site, and some no agent or office.
alter table notices alter column agent_id drop not null;
alter table notices alter column office_id drop not null;
alter table notices alter column site_id drop not null;
alter table notices alter column type_id drop not null;
alter table deliveries alter column agent_id drop not null;
