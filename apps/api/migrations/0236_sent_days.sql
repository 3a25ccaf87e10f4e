-- The bank's day on which a file was downloaded. Where the bank is may change later, so it is written down. Of downloads before this,
-- by the zone that was in force then; null of those of an older process that still ran, which count as of New York.
alter table payment_file_downloads add column bank_day date;

update payment_file_downloads as download
set bank_day = (
  download.made_at at time zone coalesce(
    (
      select zone.name
      from pay_settings as settings
      left join pg_timezone_names as zone on zone.name = settings.bank_time_zone
      where settings.set_at <= download.made_at
      order by settings.id desc
      limit 1
    ),
    'America/New_York'
  )
)::date;
