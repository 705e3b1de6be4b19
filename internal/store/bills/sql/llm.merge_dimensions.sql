insert into llm_dimensions select distinct * from next_llm_dimensions where tenant_id = $1 on conflict do nothing
