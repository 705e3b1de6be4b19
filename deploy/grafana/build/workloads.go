package main

// work are runs and services by day, which no other row of the cost facts names. Other workloads are in none.
const work = `with work as (
  select 'run' as what, run as name, team, at, cause, effective_cost, gpu_hours, active_gpu_hours
  from bi_v1.star_cost_run_days where run is not null and ` + inRange + ` and ` + inCurrency + `
  union all
  select 'service', service, team, at, cause, effective_cost, gpu_hours, active_gpu_hours
  from bi_v1.star_cost_work_days where service is not null and ` + inRange + ` and ` + inCurrency + `
), top as (
  select what, name from work group by 1, 2 order by sum(effective_cost) desc nulls last limit 10
)
`

func workloads() board {
	const runs = " from bi_v1.star_cost_run_days where run is not null and " + inRange + " and " + inCurrency
	return board{
		uid: "gpuledger-workloads", title: "Ten most expensive workloads",
		doc: "Runs and inference services by effective cost before sharing. Whole UTC days that begin in the time range: " +
			"a run that began before has more.",
		variables: []variable{currency},
		panels: []panel{
			{title: "Cost", doc: "Effective cost of everything, before sharing.", width: 8,
				sql: `select sum(effective_cost) as "Cost" from bi_v1.star_cost_total_days where ` + inRange + " and " +
					inCurrency},
			{title: "Cost of the ten", doc: "Of the workloads below.", width: 8,
				sql: work + `select sum(effective_cost) as "Cost of the ten" from work join top using (what, name)`},
			{title: "Cost of lost work", doc: "Of all runs: work that was done again or given up.", width: 8,
				sql: `select sum(effective_cost) as "Lost"` + runs + ` and cause = 'lost'`},
			{title: "The ten", doc: "Run ids name cluster, namespace, kind, name and time of creation.", form: rows, width: 24,
				sql: work + `select what as "What", name as "Name", team as "Team", sum(effective_cost) as "Cost",
  sum(effective_cost) filter (where cause = 'held_idle') as "Idle cost",
  sum(effective_cost) filter (where cause = 'lost') as "Lost cost",
  sum(gpu_hours) as "GPU-hours",
  round(100 * sum(active_gpu_hours) / nullif(sum(gpu_hours), 0), 1) as "Utilisation %"
from work join top using (what, name) group by 1, 2, 3 order by 4 desc nulls last`},
			{title: "Cost per day of the ten", doc: "By workload.", form: bars, width: 24,
				sql: work + `select at as time, name as metric, sum(effective_cost) as value
from work join top using (what, name) group by 1, 2 order by 1`},
			{title: "Runs that lost most", doc: "Cost of lost work by run.", form: rows, width: 12,
				sql: `select run as "Run", team as "Team", sum(effective_cost) as "Lost cost", sum(gpu_hours) as "Lost GPU-hours"` +
					runs + ` and cause = 'lost' group by 1, 2 order by 3 desc nulls last limit 10`},
			{title: "Cost this month by team", doc: "Through the last whole day.", form: lines, width: 12,
				prom: `topk(10, sum by (team, currency) (gpuledger_cost_month_to_date))`, legend: "{{team}} {{currency}}"},
		},
	}
}
