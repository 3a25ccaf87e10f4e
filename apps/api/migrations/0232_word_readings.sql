-- What staff decided that words of a site's merchant mean: each with its parameter and the event beside which it came.
alter table sites add column word_readings jsonb not null default '[]';
alter table former_site_flags add column word_readings jsonb; -- null in rows from before this was kept

-- The word for which a postback is held, so that one decision settles all that wait with it.
alter table held_postbacks add column word_site_id bigint;
alter table held_postbacks add column word_parameter text; -- in the spelling by which names are compared
alter table held_postbacks add column word_name text; -- as sent
alter table held_postbacks add column word_value text; -- in lower case
alter table held_postbacks add column word_event text; -- what happened, if the word is left out
alter table held_postbacks add column more_words jsonb; -- further new words of it, which are asked about after this one
-- What its word was decided to mean, if it is held for something else by now.
alter table held_postbacks add column reading text;

create index held_postbacks__word on held_postbacks (word_site_id, word_parameter, word_value)
where word_site_id is not null; -- what waits for a word's decision
