select exists (select from allocation_workers where tenant_id = $1 and worker <> $2 and seen_at > now() - make_interval(secs => $3))
