-- How many postings the chunks of a window have.
select coalesce(sum(c.posting_rows), 0) from chunks c where c.tenant_id = $1 and c.day >= $2 and c.day < $3
