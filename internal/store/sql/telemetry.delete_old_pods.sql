delete from pods p using next_pods n where p.tenant_id = $1 and p.cluster = n.cluster and p.uid = n.uid
