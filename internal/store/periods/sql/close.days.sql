-- The node-days of a period's parts.
select distinct coalesce(node_id, '00000000-0000-0000-0000-000000000000'), date_trunc('day', hour, 'UTC') from closing_parts
