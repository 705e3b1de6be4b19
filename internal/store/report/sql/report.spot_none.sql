-- No row of report.spot_sums, where days say it all: nothing to plan for.
select null::uuid as node_id, null::uuid as owner_id, null::uuid as workload_id, null::text as run_id, null::uuid as attempt_id, null::text as state, null::text as currency,
       null::timestamptz as hour, null::boolean as spent, null::boolean as destroyed, null::numeric as effective_cost, null::numeric as capacity, null::numeric as on_demand,
       null::numeric as known_cost, null::numeric as known, null::numeric as unknown_cost
where false
