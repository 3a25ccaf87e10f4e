-- An office's estimate asks which agents tiers have ever paid it for.
create index tier_payments__office on tier_payments (office_id, agent_id);
