-- A report counts once by what the merchant said, whatever event approve-sale made of it.

alter table sale_keys add column reported text; -- sale, approval, bonus or click; null: a reversal's key, or an older row

-- Approve-sale of the site when the postback came: how its words are to be read. Null: no site, or an older row.
alter table postbacks add column use_approve_sale boolean;
