with pools as (delete from share_pools where tenant_id = $1 and day = any($2)),
  hours as (delete from share_hours where tenant_id = $1 and day = any($2)),
  machines as (delete from share_machines where tenant_id = $1 and day = any($2))
delete from share_days where tenant_id = $1 and day = any($2)
