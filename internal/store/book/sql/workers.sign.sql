insert into allocation_workers (tenant_id, worker, seen_at) values ($1, $2, now())
on conflict (tenant_id, worker) do update set seen_at = excluded.seen_at
