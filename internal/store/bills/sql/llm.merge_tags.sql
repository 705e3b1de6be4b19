insert into llm_tags select distinct on (tag_set) * from next_llm_tags where tenant_id = $1 order by tag_set on conflict do nothing
