create temp table if not exists merged_vectors (n bigint, first_second int, last_second int, vectors bytea) on commit drop;
truncate merged_vectors
