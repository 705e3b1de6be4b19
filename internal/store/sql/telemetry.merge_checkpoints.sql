insert into checkpoints select distinct * from next_checkpoints where tenant_id = $1 on conflict do nothing
