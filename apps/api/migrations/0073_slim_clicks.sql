-- A click's site is that of its link type, and it is counted unless there is a reason not to. Neither needs a column of its
-- own, which would take eight bytes of a row. Rows of before keep theirs until their partition is archived.
update clicks set uncounted = 'blacklisted' where not counted and uncounted is null;

drop index clicks__not_counted;
alter table clicks drop column site_id, drop column counted;
create index clicks__not_counted on clicks (clicked_at, office_id, agent_id, type_id) where uncounted is not null;
