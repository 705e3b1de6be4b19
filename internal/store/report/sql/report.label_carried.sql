-- Whether any workload, run or owner carries a label, by folded key.
select exists (select from workloads w where w.tenant_id = $1 and w.labels ? $2)
    or exists (select from runs r where r.tenant_id = $1 and r.labels ? $2)
    or exists (select from owners o where o.tenant_id = $1 and (o.labels ? $2 or o.labels ? ('label_' || $2)))
