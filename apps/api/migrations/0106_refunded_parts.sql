-- A booking says whether it takes back a part of a sale, so that statements tell it from backdated rates when its event is gone.
alter table bookings add column is_part boolean not null default false;
