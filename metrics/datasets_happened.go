package metrics

import "gpuledger/internal/ledger"

var systemNames = []string{
	"kubernetes", string(ledger.SystemSlurm), string(ledger.SystemSageMaker),
	string(ledger.SystemAttempts), string(ledger.SystemProcess),
}

var workloads = Dataset{
	Name: "workloads",
	Doc: "What is known of one thing that can hold devices of one machine: a pod, a Slurm job's life on a node, a " +
		"managed training job, an attempt, a group of processes.",
	Columns: sourced("workload_facts, workloads", []Column{
		attr("cluster", Text, "Cluster."),
		attr("system", Text, "What started it.").values(systemNames...),
		attr("namespace", Text, "Namespace; of Slurm the account."),
		attr("name", Text, "Name; of Slurm the job id."),
		attr("uid", Text, "What tells it apart in its cluster."),
		attr("node", Text, "Machine; NULL while queued, and of managed services."),
		attr("owner_kind", Text, "Kind of what controls it; NULL for a bare pod."),
		attr("owner_name", Text, "Name of what controls it."),
		attr("requests", Text, "What it asked for, as resource=count, in alphabetical order."),
		attr("created_at", Time, "When it was created or submitted."),
		attr("eligible_at", Time, "When it could have started: quota reserved, dependencies met."),
		attr("scheduled_at", Time, "When it got its machine."),
		attr("started_at", Time, "When it started."),
		attr("ended_at", Time, "When it completed, or was first seen ended."),
		attr("first_seen", Time, "First sample that names it."),
		attr("last_seen", Time, "Last sample that names it."),
		attr("hold_from", Time, "Start of its hold of devices; NULL where it holds nothing."),
		attr("hold_to", Time, "End of its hold so far."),
		attr("outcome", Text, "How it ended: as its source says, else derived by allocation.").values(outcomeNames...),
		attr("reason", Text, "Why."),
		attr("class", Text, "Class that allocation gives it; NULL before."),
		attr("run_id", Text, "Run that it worked for; NULL where segments say more, and before allocation."),
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
	Doc: "What befell a cloud instance (interruption warnings, state changes) or a workload (restarted, suspended, " +
		"evicted, preempted, admitted).",
	Columns: sourced("instance_events, workload_events, nodes", []Column{
		attr("at", Time, "When it happened."),
		attr("subject", Text, "Whom it befell: Instance, or the kind of workload or owner."),
		attr("event", Text, "What happened. A rebalance recommendation alone means nothing."),
		attr("detail", Text, "State, action or reason, as its source says."),
		attr("provider", Text, "Cloud; of instances only."),
		attr("account", Text, "Account; of instances only."),
		attr("region", Text, "Region; of instances only."),
		attr("cluster", Text, "Cluster; of an instance that of its machine, where it is known."),
		attr("namespace", Text, "Namespace; of workloads only."),
		attr("name", Text, "Instance id, or name of the workload or owner."),
		attr("uid", Text, "Of a pod; NULL where only its name is known."),
		attr("node", Text, "Machine of the instance, where it is known."),
	}...),
	Windowed: true,
	RowKey: []string{
		"at", "subject", "event", "detail", "provider", "account", "cluster", "namespace", "name", "uid", "node",
	},
	Order: []Order{{Column: "at"}},
}

var checkpoints = Dataset{
	Name: "checkpoints",
	Doc:  "One checkpoint that a workload reported, or that was posted for a run.",
	Columns: sourced("checkpoint_facts", []Column{
		attr("at", Time, "When it was written."),
		attr("cluster", Text, "Cluster."),
		attr("namespace", Text, "Namespace; of workloads only."),
		attr("workload", Text, "Name or uid of the workload that reported it; NULL where it was posted for a run."),
		attr("run_id", Text, "Run that it was posted for; NULL where a workload reported it."),
		attr("step", Count, "Step of training; NULL when nothing says."),
		attr("duration_seconds", Quantity, "How long writing it took; NULL when nothing says.").unit("seconds"),
	}...),
	Windowed: true,
	RowKey:   []string{"at", "cluster", "namespace", "workload", "run_id"},
	Order:    []Order{{Column: "at"}},
	Aliases:  map[string]string{"run": "run_id"},
}

var llmUsage = Dataset{
	Name: "llm_usage",
	Doc:  "Calls through LLM gateways, by hour, day, week or month and what they were about.",
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
		attr("failed", Count, "Of them, those that failed."),
		attr("cache_hits", Count, "Of them, those answered from the gateway's cache."),
		attr("prompt_tokens", Count, "Tokens in; NULL when no call says."),
		attr("cached_tokens", Count, "Of them, those the provider had cached; NULL when no call says."),
		attr("completion_tokens", Count, "Tokens out; NULL when no call says."),
		attr("requests_without_tokens", Count, "Calls that say neither tokens in nor out: they are in no sum of tokens."),
		moneyColumn("gateway_list_spend", "What the gateway computed from its list prices; NULL when no call says.",
			Field("gateway_list_spend")).
			caveat("The gateway's own arithmetic: never cost, never added to cost."),
		attr("requests_without_spend", Count, "Calls without such a figure: they are not in gateway_list_spend."),
		attr("currency", Text, "Of gateway_list_spend."),
	}...),
	Windowed: true,
	Stepped:  true,
	RowKey:   []string{"period_start", "source", "provider", "model", "model_group", "team", "key_alias", "user"},
	Order:    []Order{{Column: "period_start"}, {Column: "requests", Desc: true}},
}

var conflicts = Dataset{
	Name: "conflicts",
	Doc: "Two values of what cannot have two: one was kept, the other stays here to be seen. And machines that may " +
		"stand in the ledger twice.",
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
		attr("other", Text, "Value that does not."),
		attr("first_seen", Time, "Start of the time in which both were said: whole hours of devices, the life of a workload."),
		attr("last_seen", Time, "End of that time."),
		attr("currency", Text, "Of may_be_double."),
		moneyColumn("may_be_double",
			"Effective cost that may be there twice: of machine_clusters that of the cheaper one, of machine_bill the "+
				"provisional cost.", Field("may_be_double")).
			caveat("A suspicion: it is in the totals and stays there. NULL where nothing is double."),
	}...),
	RowKey: []string{"what", "cluster", "subject", "other", "kept", "currency", "first_seen"},
	Order:  []Order{{Column: "what"}, {Column: "cluster"}, {Column: "subject"}},
}
