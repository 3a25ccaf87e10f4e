-- Coupon codes of agents who were deleted: customers may still use them. A code may hold a name, so its hash is kept.
create table freed_codes (
  site_id bigint not null,
  look_hash text not null, -- of the site and of how the code looks
  freed_at timestamptz not null,
  constraint freed_codes__pk primary key (site_id, look_hash)
);

revoke update, delete on freed_codes from tallyroom_app;
