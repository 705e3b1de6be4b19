-- What waits: node-days to allocate, imports without an end, refused ones of late.
select (select count(*) from (select distinct node_id, day from dirty where tenant_id = $1) d),
       (select count(*) from imports where tenant_id = $1 and state = 'running'),
       (select count(*) from (select state from imports where tenant_id = $1 order by started_at desc limit 20) i where state = 'refused')
