-- From here on, all that one act writes has one instant. Before, each row had its own reading of the clock, so a payment and its
-- run's step may be milliseconds apart. `pay verify` therefore compares acts up to this seal with a tolerance, and later ones
-- exactly. The app can't change it.
alter table pay_seal_head add column last_loose bigint not null default 0;

update pay_seal_head set last_loose = number;
