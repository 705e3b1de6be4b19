insert into allocation_workers (tenant_id, worker, slots, seen_at) values ($1, $2, $3, now())
on conflict (tenant_id, worker) do update set slots = excluded.slots, seen_at = excluded.seen_at
