-- The network, who pays, has tax details as payees have: its documents name both.
alter table payee_tax_details drop constraint payee_tax_details__payee_kind;
alter table payee_tax_details add constraint payee_tax_details__payee_kind check (payee_kind in ('office', 'agent', 'network'));
alter table payee_tax_details
  add constraint payee_tax_details__network check ((payee_kind = 'network') = (payee_id = 0));
