package main

func queue() board {
	const held = " from bi_v1.star_cost_team_days where " + inRange
	const waits = " from bi_v1.queue"
	return board{
		uid: "gpuledger-queue", title: "Queues",
		doc: "Who waits for GPUs, and what the queues hold. Waits are of all stored time; GPU-hours of whole UTC days that " +
			"begin in the time range.",
		variables: []variable{currency},
		panels: []panel{
			{title: "Workloads", doc: "That asked for GPUs, in all stored time.", width: 6,
				sql: `select sum(workloads) as "Workloads"` + waits},
			{title: "Waiting", doc: "That still wait at the end of the stored data.", width: 6,
				sql: `select sum(waiting) as "Waiting"` + waits},
			{title: "Pending GPU-hours", doc: "Wait × requested GPUs.", width: 6,
				sql: `select sum(pending_gpu_hours) as "Pending GPU-hours"` + waits},
			{title: "Longest p95 of the wait", doc: "Of the queues, teams and GPU models below.", unit: seconds, width: 6,
				sql: `select max(wait_p95_seconds) as "Longest p95"` + waits},
			{title: "Queues", doc: "A workload that never held GPUs waits until its end.", form: rows, width: 24,
				sql: `select cluster as "Cluster", coalesce(queue, '(none)') as "Queue", team as "Team", gpu_model as "GPU model",
  workloads as "Workloads", waiting as "Waiting", never_started as "Never started", starved as "Over 24 h",
  wait_p50_seconds as "Wait p50, s", wait_p95_seconds as "Wait p95, s", pending_gpu_hours as "Pending GPU-hours"` +
					waits + ` order by pending_gpu_hours desc nulls last`},
			{title: "GPU-hours held per day", doc: "By queue.", form: bars, width: 12,
				sql: `select at as time, coalesce(queue, '(none)') as metric, sum(gpu_hours) as value` + held +
					` group by 1, 2 having sum(gpu_hours) > 0 order by 1`},
			{title: "Cost per day", doc: "By queue, before sharing.", form: bars, width: 12,
				sql: `select at as time, coalesce(queue, '(none)') as metric, sum(effective_cost) as value` + held + " and " +
					inCurrency + ` group by 1, 2 order by 1`},
		},
	}
}
