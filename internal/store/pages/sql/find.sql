-- name: page.find
-- At most $3 names of each kind that contain the lower-case text $2: an exact name first, then names that begin with it,
-- then the shortest. Workloads that belong to runs or services are found as these. Reads dictionaries only, no
-- facts: the largest is workloads, one row per pod, which is filtered before its names are sorted out.
with pods as (
  select case when service = '' then 'workload' else 'service' end as key,
    case when service = '' then owner_name else service end as name
  from workloads
  where tenant_id = $1 and (run_id is null or service <> '')
), names as (
  select distinct 'team' as key, team as value, team as name, '' as place from owners where tenant_id = $1
  union all
  select distinct 'project', project, project, '' from owners where tenant_id = $1
  union all
  select distinct 'model', model, model, '' from owners where tenant_id = $1
  union all
  select 'run', run_id, name, cluster from runs where tenant_id = $1
  union all
  select distinct key, name, name, '' from pods where strpos(lower(name), $2) > 0
  union all
  select 'node', name, name, min(cluster) from nodes where tenant_id = $1 group by name
  union all
  select 'device', device, device, min(model) from devices where tenant_id = $1 group by device
), folded as (
  select *, lower(name) as word from names offset 0 -- folded once
), words as materialized (
  select *, strpos(word, $2) as at from folded where strpos(word, $2) > 0
)
select w.key, w.value, w.name, w.place
from unnest('{team,project,model,run,workload,service,node,device}'::text[]) with ordinality k(key, number)
cross join lateral (
  select * from words where key = k.key
  order by word <> $2, at <> 1, length(word), word collate "C", value collate "C"
  limit $3
) w
order by k.number, w.word <> $2, w.at <> 1, length(w.word), w.word collate "C", w.value collate "C"
