-- Finds what a number or an address is about: postbacks that became no sale, statements, payments.

-- Whole values of any parameter, in lower case: also of those whose order number could not be read.
create index postbacks__values on postbacks
  using gin ((lower(jsonb_path_query_array(params, '$.*')::text)::jsonb) jsonb_path_ops)
  where outcome not in ('recorded', 'duplicate');
create index statements__by_number on statements ((lower(number) collate "C")); -- also by its beginning
create index payment_results__bank_reference on payment_results ((lower(bank_reference) collate "C"))
  where bank_reference is not null;
create index payment_run_lines__by_reference on payment_run_lines ((lower(reference) collate "C"));
