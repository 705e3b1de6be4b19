create temp table next_llm_calls (like llm_calls) on commit drop;
create temp table next_llm_dimensions (like llm_dimensions) on commit drop;
create temp table next_llm_tags (like llm_tags) on commit drop
