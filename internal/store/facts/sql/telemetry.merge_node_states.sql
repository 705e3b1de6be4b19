with merged as (
  insert into node_state_hours as h (tenant_id, cluster, name, state, hour, minutes, known)
  select $1, cluster, name, state, hour, bit_or(minutes), bit_or(known)
  from next_node_states
  group by cluster, name, state, hour
  on conflict (tenant_id, cluster, name, state, hour) do update
  set minutes = h.minutes | excluded.minutes, known = h.known | excluded.known
  where h.minutes | excluded.minutes <> h.minutes or h.known | excluded.known <> h.known
  returning cluster, name, hour
)
insert into touched_names select distinct cluster, name, hour, 'node state' from merged
