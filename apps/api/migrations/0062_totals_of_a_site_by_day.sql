-- A few days of all offices, also of one site: with the day alone, two weeks of a site read those of all sites.
drop index totals_day_office_type__day;
create index totals_day_office_type__day on totals_day_office_type (day, site_id);
