-- What a superadmin grants (`show_suspend`) and what its holder chooses are two values. Who was granted it
-- before was shown suspended accounts, and still is.
alter table accounts add column show_suspend_chosen boolean not null default true;

-- An admin that was taken out of service. Offices and agents are suspended in their own tables.
alter table accounts add column suspended boolean not null default false;

-- What a username looks like: no two that look alike are given out. Null for one that was there before and looks
-- like another; the app fills in the others when it starts.
alter table accounts add column username_look text;
create unique index accounts__username_look on accounts (username_look) where username_look is not null;
