-- From which day on, in New York, nobody approves what another person has entered without a second factor; null: whoever has one
-- is asked for it.
alter table sign_in_rules add column second_acts date;
