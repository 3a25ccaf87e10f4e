-- A few days of all offices by link type: first screens and comparisons. The level's key begins with the office.
create index totals_day_office_type__day on totals_day_office_type (day);
