package main

func spot() board {
	// Rows of work that was destroyed on other machines have lost cost alone.
	const from = " from bi_v1.star_spot_days where " + inRange + " and " + inCurrency
	return board{
		uid: "gpuledger-spot", title: "Spot machines",
		doc: "What spot saved, before and after the work that interruptions destroyed. Whole UTC days that begin in the " +
			"time range.",
		variables: []variable{currency},
		panels: []panel{
			{title: "Spot cost", doc: "Effective cost of spot machines, held or not.", width: 6,
				sql: `select sum(effective_cost) as "Spot cost"` + from},
			{title: "Gross savings", doc: "On-demand equivalent minus cost, where the price is known.", width: 6,
				sql: `select sum(gross_saving) as "Gross savings"` + from},
			{title: "Lost to interruptions", doc: "Lost work and overhead after spot interruptions.", width: 6,
				sql: `select sum(lost_cost) as "Lost"` + from},
			{title: "Net savings", doc: "Gross savings minus losses.", width: 6,
				sql: `select sum(gross_saving) - coalesce(sum(lost_cost), 0) as "Net savings"` + from},
			{title: "Net savings per day", doc: "By region.", form: bars, width: 12,
				sql: `select at as time, coalesce(region, '(none)') as metric,
  sum(gross_saving) - coalesce(sum(lost_cost), 0) as value` + from + ` group by 1, 2 order by 1`},
			{title: "Interruption rate", doc: "Interruptions per hour of a spot machine, month to date.", form: lines, width: 12,
				prom: `gpuledger_spot_interruption_rate`, legend: "{{cluster}}"},
			{title: "By zone and type", doc: "Where spot pays.", form: rows, width: 12,
				sql: `select zone as "Zone", instance_type as "Type", sum(instance_hours) as "Machine hours",
  sum(effective_cost) as "Cost", sum(gross_saving) as "Gross savings", sum(lost_cost) as "Lost",
  sum(gross_saving) - coalesce(sum(lost_cost), 0) as "Net savings"` + from + ` group by 1, 2 order by 7 desc nulls last`},
			{title: "Interruptions", form: rows, width: 12,
				doc: "Machines that were taken away, and the attempts that this ended. Those without a known loss have no currency.",
				sql: `select at as "At", cluster as "Cluster", zone as "Zone", instance_type as "Type", run_id as "Run",
  attempt as "Attempt", team as "Team", recovery_seconds as "Recovery, s", lost_cost as "Lost cost", currency as "Currency"
from bi_v1.interruptions where $__timeFilter(at) and (` + inCurrency + ` or currency is null)
order by at desc limit 100`},
			{title: "Net savings this month", doc: "Through the last whole day.", form: lines, width: 24,
				prom: `gpuledger_spot_net_savings`, legend: "{{cluster}} {{currency}}"},
		},
	}
}
