-- The better layout of each card, as of the newest day of the window on which cards
-- of its model in its cluster had instances; only where some are released.
select c.day, nullif(c.cluster, '') as cluster, nullif(c.model, '') as gpu_model, c.card::bigint as card, nullif(n.name, '') as node, c.slot::bigint as slot, c.device as device_uuid, c.device,
  array_to_string(c.had, ' ') as current_profiles, nullif(array_to_string(c.profiles, ' '), '') as proposed_profiles,
  (select string_agg(u.profile || '@' || u.start, ' ' order by u.start) from unnest(c.profiles, c.starts) u (profile, start)) as placement,
  c.action
from shown_layouts c
join (
  select k.cluster, k.model, max(k.day) as day from packing_days k where k.tenant_id = @tenant and k.day >= @from and k.day < @to and k.cards > 0 group by 1, 2
) newest on newest.cluster = c.cluster and newest.model = c.model and newest.day = c.day
left join nodes n on n.tenant_id = @tenant and n.node_id = c.node_id
where c.tenant_id = @tenant and c.day >= @from and c.day < @to
