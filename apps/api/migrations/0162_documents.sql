-- A statement whose payer and payee have tax details is a self-billed document: its number by payee, without gaps.
alter table statements add column document_serial integer;
alter table statements
  add constraint statements__document unique (payee_kind, payee_id, document_serial),
  add constraint statements__document_serial check (document_serial > 0);
