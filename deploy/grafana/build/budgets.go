package main

func budgets() board {
	const spend = " from bi_v1.star_cost_team_days where " + inRange + " and " + inCurrency
	return board{
		uid: "gpuledger-budgets", title: "Budgets",
		doc: "Budgets with their spend. Spend and projection are gauges of gpuledger, of budgets whose period has not " +
			"ended; the spend of teams is of whole UTC days that begin in the time range.",
		variables: []variable{currency},
		panels: []panel{
			{title: "Budgets spent", doc: "How many have reached their amount.", width: 8,
				prom: `count(gpuledger_budget_ratio >= 1) or vector(0)`, legend: "spent"},
			{title: "Budgets that will break", doc: "At the pace of the period so far, spent ones included.", width: 8,
				prom: `count(gpuledger_budget_projected > gpuledger_budget_amount) or vector(0)`, legend: "will break"},
			{title: "Spend in the time range", doc: "Effective cost, before sharing.", width: 8,
				sql: `select sum(effective_cost) as "Spend"` + spend},
			{title: "Spent share", doc: "Actual and provisional spend over the amount.", form: lines, unit: share, width: 12,
				prom: `gpuledger_budget_ratio`, legend: "{{name}}"},
			{title: "Projected share", doc: "Spend at the end of the period over the amount.", form: lines, unit: share,
				width: 12, prom: `gpuledger_budget_projected / gpuledger_budget_amount`, legend: "{{name}}"},
			{title: "Plan", doc: "The newest version of each budget.", form: rows, width: 12,
				sql: `select name as "Budget", key as "Key", value as "Value", period as "Period", period_start as "Start",
  period_end as "End", amount as "Amount", coalesce(currency, unit) as "Unit", parent as "Part of"
from bi_v1.budget_versions where newest order by amount desc`},
			{title: "Spend by team per day", doc: "Effective cost, before sharing.", form: bars, width: 12,
				sql: `select at as time, team as metric, sum(effective_cost) as value` + spend + ` group by 1, 2 order by 1`},
			{title: "Spend by team and project", doc: "Final is what a closed month holds; provisional has no bill yet.",
				form: rows, width: 24,
				sql: `select team as "Team", project as "Project", sum(effective_cost) as "Spend",
  sum(effective_cost) filter (where state = 'provisional') as "Provisional",
  sum(effective_cost) filter (where state = 'final') as "Final"` + spend + ` group by 1, 2 order by 3 desc nulls last`},
		},
	}
}
