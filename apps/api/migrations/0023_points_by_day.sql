-- The points of a period, row by row, without reading the rows that have none: a detail report's total of the
-- period before adds them up.
create index totals_day_agent__points on totals_day_agent (day, agent_id, office_id)
include (lpp) where lpp <> 0;
