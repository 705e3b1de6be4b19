-- Clusters that anything is of.
select cluster from (
  select cluster from nodes where tenant_id = $1
  union select cluster from runs where tenant_id = $1
  union select cluster from workloads where tenant_id = $1
) c
where cluster <> ''
order by cluster
