package main

func idle() board {
	const from = " from bi_v1.star_cost_work_days where " + inRange + " and " + inNamespaces
	const held = from + " and cause = 'held_idle'"
	const money = held + " and " + inCurrency
	return board{
		uid: "gpuledger-idle", title: "Idle GPU-hours",
		doc: "Time that was held and under 10 % active for 15 minutes, or as the policy's setting idle says. Whole UTC days " +
			"that begin in the time range.",
		variables: []variable{currency, namespaceChoice},
		panels: []panel{
			{title: "Idle GPU-hours", doc: "Held without work.", width: 6,
				sql: `select sum(gpu_hours) as "Idle GPU-hours"` + held},
			{title: "Idle cost", doc: "Their effective cost.", width: 6,
				sql: `select sum(effective_cost) as "Idle cost"` + money},
			{title: "Share of held GPU-hours", doc: "Idle over all held GPU-hours.", unit: share, width: 6,
				sql: `select sum(gpu_hours) filter (where cause = 'held_idle') / nullif(sum(gpu_hours), 0) as "Share"` + from},
			{title: "Idle share of the fleet", doc: "Held idle, free, stranded and unavailable, of the last whole day.",
				unit: share, width: 6, prom: `gpuledger_target_value{target="idle_share"}`, legend: "idle share"},
			{title: "Idle GPU-hours per day", doc: "By namespace.", form: bars, width: 12,
				sql: `select at as time, coalesce(namespace, '(none)') as metric, sum(gpu_hours) as value` + held +
					` group by 1, 2 order by 1`},
			{title: "Idle cost by cause", doc: "Of the last whole day: also cards that no one held.", form: lines, width: 12,
				prom:   `gpuledger_cost_by_cause_last_day{cause=~"held_idle|free|stranded|unavailable"}`,
				legend: "{{cause}} {{currency}}"},
			{title: "Whose", doc: "Idle time by namespace, kind of owner and team.", form: rows, width: 12,
				sql: `select coalesce(namespace, '(none)') as "Namespace", workload_kind as "Kind", team as "Team",
  sum(gpu_hours) as "Idle GPU-hours", sum(effective_cost) as "Idle cost"` + money + `
group by 1, 2, 3 order by 5 desc nulls last limit 50`},
			{title: "GPUs that idle most", doc: "Cards by the GPU-hours that were held and under the limit of activity.",
				form: rows, width: 12,
				sql: `select device as "GPU", gpu_model as "Model", cluster as "Cluster", node as "Machine",
  sum(idle_gpu_hours) as "Idle GPU-hours", sum(gpu_hours) as "Held GPU-hours",
  round(100 * sum(active_gpu_hours) / nullif(sum(gpu_hours), 0), 1) as "Active %"
from bi_v1.devices_daily where $__timeFilter(period_start)
group by 1, 2, 3, 4 having sum(idle_gpu_hours) > 0 order by 5 desc limit 50`},
			{title: "Findings", doc: "Waste that ledger rules found, with what to do. Kinds that overlap are left out.",
				form: rows, width: 24,
				sql: `select label as "Finding", subject as "Subject", team as "Team", "from" as "From", hours as "Hours",
  gpu_hours as "GPU-hours", effective_cost as "Cost", action as "What to do"
from bi_v1.waste where not "overlaps" and ` + inCurrency + ` and $__timeFilter("from")
order by effective_cost desc nulls last limit 50`},
		},
	}
}
