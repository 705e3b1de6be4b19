package main

// namespaceChoice is a choice of namespaces; cost without one is "(none)".
var namespaceChoice = variable{name: "namespace", label: "Namespace", many: true,
	sql: `select coalesce(namespace, '(none)') from bi_v1.star_cost_work_days
group by 1 order by sum(effective_cost) desc nulls last`}

const inNamespaces = "coalesce(namespace, '(none)') in (${namespace:sqlstring})"

func namespaces() board {
	const from = " from bi_v1.star_cost_work_days where " + inRange + " and " + inNamespaces
	const inMoney = from + " and " + inCurrency
	return board{
		uid: "gpuledger-namespaces", title: "GPU utilisation and cost by namespace",
		doc: "Effective cost before sharing, GPU-hours held and worked, by namespace. Whole UTC days that begin in the " +
			"time range.",
		variables: []variable{currency, namespaceChoice},
		panels: []panel{
			{title: "Cost", doc: "Effective cost, before sharing.", width: 6,
				sql: `select sum(effective_cost) as "Cost"` + inMoney},
			{title: "GPU-hours held", doc: "Slices count by their share of a card.", width: 6,
				sql: `select sum(gpu_hours) as "GPU-hours held"` + from},
			{title: "Utilisation", doc: "Active over held GPU-hours.", unit: share, width: 6,
				sql: `select sum(active_gpu_hours) / nullif(sum(gpu_hours), 0) as "Utilisation"` + from},
			{title: "Cost per active GPU-hour", doc: "Cost over the GPU-hours that worked.", width: 6,
				sql: `select sum(effective_cost) / nullif(sum(active_gpu_hours), 0) as "Cost per active GPU-hour"` + inMoney},
			{title: "Cost per day", doc: "By namespace.", form: bars, width: 12,
				sql: `select at as time, coalesce(namespace, '(none)') as metric, sum(effective_cost) as value` + inMoney +
					` group by 1, 2 order by 1`},
			{title: "Utilisation per day", doc: "Active over held GPU-hours, by namespace.", form: lines, unit: share, width: 12,
				sql: `select at as time, namespace as metric, sum(active_gpu_hours) / nullif(sum(gpu_hours), 0) as value` + from +
					` and namespace is not null group by 1, 2 having sum(gpu_hours) > 0 order by 1`},
			{title: "Namespaces", doc: "Idle is time that was held without work; lost is work that was lost.", form: rows,
				width: 24,
				sql: `select coalesce(namespace, '(none)') as "Namespace", team as "Team", sum(effective_cost) as "Cost",
  sum(effective_cost) filter (where cause = 'held_idle') as "Idle cost",
  sum(effective_cost) filter (where cause = 'lost') as "Lost cost",
  sum(gpu_hours) as "GPU-hours", sum(active_gpu_hours) as "Active GPU-hours",
  round(100 * sum(active_gpu_hours) / nullif(sum(gpu_hours), 0), 1) as "Utilisation %"` + inMoney + `
group by 1, 2 order by 3 desc nulls last`},
			{title: "Utilisation of the fleet", doc: "Target of the last whole day.", form: lines, unit: share, width: 12,
				prom: `gpuledger_target_value{target="utilisation"}`, legend: "utilisation"},
			{title: "Cost per active GPU-hour by GPU model", doc: "Of the last whole day.", form: lines, width: 12,
				prom: `gpuledger_cost_per_active_gpu_hour`, legend: "{{gpu_model}} {{currency}}"},
		},
	}
}
