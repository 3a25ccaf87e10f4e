-- A page of a report by agent is read in the order of usernames, without the names of all other agents.
create index accounts__agent_name on accounts (lower(username) collate "C") include (agent_id, username)
where agent_id is not null;
