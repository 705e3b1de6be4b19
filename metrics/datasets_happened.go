package metrics

import "gpuledger/internal/ledger"

var systemNames = []string{
	"kubernetes", string(ledger.SystemSlurm), string(ledger.SystemSageMaker),
	string(ledger.SystemAttempts), string(ledger.SystemProcess),
}

var workloads = Dataset{
	Name: "workloads",
	Lead: []string{"namespace", "name", "owner_kind", "outcome", "started_at", "ended_at", "node", "cluster", "run_id"},
	Doc: "Known facts of one workload that can hold devices of one machine: a pod, a Slurm job's life on a node, a " +
		"managed training job, an attempt, a group of processes.",
	Columns: sourced("workload_facts, workloads", []Column{
		attr("cluster", Text, "Cluster."),
		attr("system", Text, "What started it.").values(systemNames...),
		attr("namespace", Text, "Namespace; for Slurm, the account."),
		attr("name", Text, "Name; for Slurm, the job id."),
		attr("uid", Text, "Id that is unique in its cluster."),
		attr("node", Text, "Machine; NULL while queued, and for managed services."),
		attr("owner_kind", Text, "Kind of its controller; NULL for a bare pod."),
		attr("owner_name", Text, "Name of its controller."),
		attr("requests", Text, "Requested resources, as resource=count, in alphabetical order."),
		attr("created_at", Time, "When it was created or submitted."),
		attr("eligible_at", Time, "When it could have started: quota reserved, dependencies met."),
		attr("scheduled_at", Time, "When it got its machine."),
		attr("started_at", Time, "When it started."),
		attr("ended_at", Time, "When it completed, or was first seen ended."),
		attr("first_seen", Time, "First sample that names it."),
		attr("last_seen", Time, "Last sample that names it."),
		attr("hold_from", Time, "Start of its hold of devices; NULL if it holds nothing."),
		attr("hold_to", Time, "End of its hold so far."),
		attr("outcome", Text, "How it ended, by its source, else derived by allocation.").values(outcomeNames...),
		attr("reason", Text, "Why."),
		attr("class", Text, "Class that allocation gives it; NULL before."),
		attr("run_id", Text, "Run that it worked for; NULL if its segments name several, and before allocation."),
		heldPercentile(50, Field("activity_p50"), ofDays),
		heldPercentile(95, Field("activity_p95"), ofDays),
	}...),
	Windowed: true,
	RowKey:   []string{"cluster", "uid"},
	Order:    []Order{{Column: "cluster"}, {Column: "namespace"}, {Column: "name"}},
	Aliases:  map[string]string{"run": "run_id", "pod": "name"},
}

var events = Dataset{
	Name: "events",
	Lead: []string{"at", "subject", "event", "detail", "cluster", "node", "name"},
	Doc: "One event of a cloud instance (interruption warnings, state changes) or of a workload (restarted, suspended, " +
		"evicted, preempted, admitted).",
	Columns: sourced("instance_events, workload_events, nodes", []Column{
		attr("at", Time, "When it happened."),
		attr("subject", Text, "Subject of the event: Instance, or the kind of workload or owner."),
		attr("event", Text, "Event. A rebalance recommendation alone is not an interruption."),
		attr("detail", Text, "State, action or reason, as its source gives it."),
		attr("provider", Text, "Cloud; for instances only."),
		attr("account", Text, "Account; for instances only."),
		attr("region", Text, "Region; for instances only."),
		attr("cluster", Text, "Cluster; for an instance, that of its machine, if known."),
		attr("namespace", Text, "Namespace; for workloads only."),
		attr("name", Text, "Instance id, or name of the workload or owner."),
		attr("uid", Text, "Uid of a pod; NULL if only its name is known."),
		attr("node", Text, "Machine of the instance, if known."),
	}...),
	Windowed: true,
	RowKey: []string{
		"at", "subject", "event", "detail", "provider", "account", "cluster", "namespace", "name", "uid", "node",
	},
	Order: []Order{{Column: "at"}},
}

var checkpoints = Dataset{
	Name: "checkpoints",
	Lead: []string{"at", "workload", "step", "duration_seconds", "namespace", "cluster", "run_id"},
	Doc:  "One checkpoint that a workload reported, or that was posted for a run.",
	Columns: sourced("checkpoint_facts", []Column{
		attr("at", Time, "When it was written."),
		attr("cluster", Text, "Cluster."),
		attr("namespace", Text, "Namespace; for workloads only."),
		attr("workload", Text, "Name or uid of the workload that reported it; NULL if it was posted for a run."),
		attr("run_id", Text, "Run that it was posted for; NULL if a workload reported it."),
		attr("step", Count, "Step of training; NULL if unknown."),
		attr("duration_seconds", Quantity, "How long writing it took; NULL if unknown.").unit("seconds"),
	}...),
	Windowed: true,
	RowKey:   []string{"at", "cluster", "namespace", "workload", "run_id"},
	Order:    []Order{{Column: "at"}},
	Aliases:  map[string]string{"run": "run_id"},
}

var llmUsage = Dataset{
	Name: "llm_usage",
	Lead: []string{"model", "team", "requests", "failed", "prompt_tokens", "completion_tokens", "gateway_list_spend",
		"currency", "provider", "user"},
	Doc: "Calls through LLM gateways, by hour, day, week or month, and by model, team, key and user.",
	Columns: sourced("llm_calls, llm_dimensions", []Column{
		attr("period_start", Time, "Start of the hour, day, week or month."),
		attr("source", Text, "Gateway: litellm …"),
		attr("provider", Text, "Provider that served them."),
		attr("model", Text, "Model as served."),
		attr("model_group", Text, "Model as asked for."),
		attr("team", Text, "Team of the gateway's key."),
		attr("key_alias", Text, "Alias of the gateway's key; never the key."),
		attr("user", Text, "Keyed hash of the user; NULL when there is none."),
		attr("requests", Count, "Calls."),
		attr("failed", Count, "Failed calls."),
		attr("cache_hits", Count, "Calls answered from the gateway's cache."),
		attr("prompt_tokens", Count, "Tokens in; NULL if no call reports them."),
		attr("cached_tokens", Count, "Tokens in that the provider had cached; NULL if no call reports them."),
		attr("completion_tokens", Count, "Tokens out; NULL if no call reports them."),
		attr("requests_without_tokens", Count, "Calls that report neither tokens in nor out; the sums of tokens leave them "+
			"out."),
		moneyColumn("gateway_list_spend", "Spend that the gateway computed from its list prices; NULL if no call reports it.",
			Field("gateway_list_spend")).
			caveat("The gateway's own arithmetic: never cost, never added to cost."),
		attr("requests_without_spend", Count, "Calls without reported spend; gateway_list_spend leaves them out."),
		attr("currency", Text, "Currency of gateway_list_spend."),
	}...),
	Windowed: true,
	Stepped:  true,
	RowKey:   []string{"period_start", "source", "provider", "model", "model_group", "team", "key_alias", "user"},
	Order:    []Order{{Column: "period_start"}, {Column: "requests", Desc: true}},
}

var conflicts = Dataset{
	Name: "conflicts",
	Lead: []string{"what", "subject", "kept", "other", "may_be_double", "currency", "last_seen", "cluster", "name"},
	Doc: "Two values of a fact that can have only one: one counts, the other is kept here. Also machines that may be in " +
		"the ledger twice.",
	Columns: sourced("fact_conflicts, workload_facts, devices, node_facts, machine_doubles", []Column{
		attr("what", Text, "workload_node, workload_owner: of a workload; device_node: a device on two machines in one "+
			"hour; node_machine: two machines under one name at one time; machine_clusters: one machine under two clusters; "+
			"machine_bill: one that only a bill names, and one of the same type that no bill names.").
			values("workload_node", "workload_owner", "device_node", "node_machine", MachineClusters, MachineBill),
		attr("cluster", Text, "Cluster."),
		attr("subject", Text, "Uid of the workload, device, or name of the machine."),
		attr("name", Text, "Namespace and name of the workload."),
		attr("kept", Text, "Value that counts.").caveat("Under node_machine, machine_clusters and machine_bill both " +
			"count, as two machines; a machine with two names and one instance key counts once."),
		attr("other", Text, "Value that does not count."),
		attr("first_seen", Time, "Start of the time in which both were reported: whole hours for devices, the life of a "+
			"workload."),
		attr("last_seen", Time, "End of that time."),
		attr("currency", Text, "Currency of may_be_double."),
		moneyColumn("may_be_double",
			"Effective cost that may be counted twice: for machine_clusters the cheaper machine's, for machine_bill the "+
				"provisional cost.", Field("may_be_double")).
			caveat("A suspicion only: the totals include it. NULL if nothing is double."),
	}...),
	RowKey: []string{"what", "cluster", "subject", "other", "kept", "currency", "first_seen"},
	Order:  []Order{{Column: "what"}, {Column: "cluster"}, {Column: "subject"}},
}
