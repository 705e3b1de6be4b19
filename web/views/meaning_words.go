package views

// anywhere is what words mean wherever they stand.
var anywhere = map[string]string{
	"Cause": "key.cause", "Team": "key.team", "Owner": "key.team", "Project": "key.project", "Cluster": "key.cluster", "Node": "key.node", "Provider": "key.provider", "Price class": "key.pricing",
	"Account": "key.account", "Class, account": "key.pricing", "Class": "key.pricing", "Type, zone": "key.instance_type", "Service": "key.service_name", "Region": "key.region", "Currency": "costs.currency",
	"Spend": "costs.effective_cost", "Cost": "costs.effective_cost", "All causes": "costs.effective_cost", "Effective": "costs.effective_cost", "Billed": "costs.billed_cost", "List": "costs.list_cost",
	"Contracted": "costs.contracted_cost", "GPU-h": "costs.gpu_hours", "GPU-h held": "costs.gpu_hours", "GPU-hours": "costs.gpu_hours", "GPU-hours held": "costs.gpu_hours", "GPU-hours then": "costs.gpu_hours",
	"State": "costs.state", "By cause": "figure.by_cause", "Where it went": "figure.by_cause", "Share": "figure.share", "Per GPU-h": "figure.price_per_gpu_hour", "Lasted": "figure.lasted", "From": "costs.period_start",
	"Per active GPU-hour": "costs.cost_per_active_gpu_hour", "Lost work": "figure.lost_span", "Net spot saving": "runs.net_spot_savings", "Burn rate": "runs.burn_rate", "Budget runs out": "runs.budget_runs_out_at",
	"Projected cost": "runs.projected_cost", "Restart overhead": "runs.restart_overhead_cost", "Gang wait": "runs.gang_wait_cost", "Difference": "figure.difference",
	"Started": "runs.started_at", "GPUs": "attempts.gpus", "Slices": "attempts.gpus", "Slots": "attempts.gpus", "Rank": "figure.share",
	// of imports, under way or done
	"Files": "imports.files", "Bytes": "imports.bytes", "Rows": "imports.rows_read", "Read": "imports.rows_read", "Accepted": "imports.accepted", "Ignored": "imports.ignored", "Rejected": "imports.rejected", "Refused": "imports.refused",
	"Lines changed": "imports.restated_changed", "Elapsed": "figure.lasted", "Left": "imports.eta_seconds",
	// of machines, now
	"Active": "figure.state_now", "Held": "figure.state_now", "Silent": "figure.state_now", "Mean activity": "figure.activity_now", "Activity": "figure.activity_now", "Memory used": "samples.avg", "Power": "samples.avg",
	"Temperature": "samples.avg", "Newest sample": "figure.newest_sample",
	// of explanations
	"Part": "figure.weight", "Line": "charges.line", "How it was cut": "figure.fact", "Whole units": "figure.weight", "Remainder": "figure.weight", "Left over": "figure.weight", "Place": "figure.weight",
	"Posted": "postings.effective_cost",
}

// words is what heads mean in tables of one kind.
var words = map[string]map[string]string{
	"spend": {"Used": "figure.used_share"},
	"runs":  {"Run": "runs.name", "Status": "runs.status", "Attempts": "runs.attempts", "Lost": "figure.lost_span", "Cost": "runs.effective_cost", "GPU-h": "runs.gpu_hours", "Budget": "runs.budget_ratio"},
	"attempts": {"Attempt": "attempts.attempt", "Task, try": "attempts.attempt", "Outcome": "attempts.outcome", "Reason": "attempts.reason", "Loss from": "attempts.loss_basis", "Lost": "figure.lost_span", "Cost": "attempts.effective_cost",
		"Started": "attempts.started_at", "GPU-h": "attempts.gpu_hours", "Price class": "attempts.pricing"},
	"usage": {"All slot-hours": "figure.slot_hours", "Slot": "usage.slot", "Holder": "usage.pod", "Seconds": "usage.seconds", "Per second": "figure.weight", "Weight": "figure.weight", "Method": "usage.method"},
	"charges": {"Line": "charges.line", "What": "charges.service_name", "Resource": "charges.resource_id", "When": "charges.charge_period_start", "Kind": "charges.charge_category", "List": "charges.list_cost",
		"Effective": "charges.effective_cost", "Billed": "charges.billed_cost", "File and line": "charges.source_file", "Into this run": "postings.effective_cost", "Lines": "charges.lines", "Service": "charges.service_name"},
	"postings":       {"Posting": "postings.posting_id", "Hour": "postings.hour", "Kind": "postings.kind", "Effective": "postings.effective_cost"},
	"explain":        {"What": "figure.fact", "Value": "figure.fact", "Side": "postings.kind", "Weight": "figure.weight", "Effective": "postings.effective_cost"},
	"reconciliation": {"Export": "reconciliation.source", "Bill": "reconciliation.source_total", "Posted": "reconciliation.posted_total", "Lines": "reconciliation.charges", "State": "reconciliation.state", "Cost": "reconciliation.metric"},
	"deliveries": {"Export": "deliveries.export", "Delivery": "deliveries.delivery_id", "Covers": "deliveries.partition", "Written": "deliveries.delivered_at", "Published": "deliveries.published_at", "Rows": "deliveries.rows",
		"Lines": "deliveries.rows", "State": "deliveries.state", "Lines changed": "restatements.changed"},
	"restatements": {"Delivery": "restatements.delivery_id", "Added": "restatements.added", "Removed": "restatements.removed", "Changed": "restatements.changed", "Lines": "restatements.changed", "Lines changed": "restatements.changed",
		"Covers": "restatements.partition", "Billed": "restatements.billed_cost", "Effective": "restatements.effective_cost", "Service": "restatements.service_name"},
	"imports":       {"Source": "imports.source", "State": "imports.state", "Started": "imports.started_at", "Took": "figure.lasted"},
	"import_counts": {"Reason": "import_counts.reason", "What became of them": "import_counts.kind", "Rows": "import_counts.rows"},
	"rejections":    {"File and line": "rejections.file", "Column": "rejections.column", "Reason": "rejections.reason", "What was found, and what to do": "rejections.detail"},
	"sources":       {"Source": "imports.source", "Format": "imports.source", "Schedule": "figure.fact", "Looked at": "figure.fact", "Last import": "imports.finished_at", "Outcome": "imports.state", "Next": "figure.fact"},
	"fleet": {"Nodes": "key.node", "GPUs": "figure.devices", "State": "figure.state_now", "Slice": "samples.slice", "Instance": "samples.slice", "Holder": "usage.pod", "Workload": "key.workload", "From": "figure.newest_sample",
		"Until": "figure.newest_sample", "Minutes named": "samples.minutes", "Profile": "key.mig_profile", "First sample": "figure.newest_sample", "Last sample": "figure.newest_sample", "Held idle": "figure.state_now", "Free": "figure.state_now",
		"Slot": "usage.slot"},
	"samples": {"Signal": "samples.signal", "Minutes": "samples.minutes", "Source": "figure.fact", "Hour": "samples.hour"},
	"policies": {"Version": "policies.version", "State": "policies.status", "Holds": "policies.valid_from", "Note": "policies.note", "Stored": "policies.created_at", "Setting": "policies.document", "Standard": "policies.document",
		"Presets": "policies.document", "Meaning": "policies.document", "Now": "costs.effective_cost", "Then": "costs.effective_cost", "Value": "policies.document"},
	"periods":    {"Period": "periods.billing_period", "State": "periods.state", "Cost": "periods.effective_cost", "Statement": "periods.version", "Closed": "periods.closed_at", "Adjusted since": "periods.adjustments_effective_cost"},
	"audit":      {"When": "audit.at", "What": "audit.action", "Of": "audit.subject", "Detail": "audit.detail"},
	"statements": {"Version": "statements.version", "State": "statements.state", "Closed": "statements.closed_at", "Reopened": "statements.reopened_at", "sha256": "statements.digest", "Compare": "statement_diff.difference_effective_cost"},
	"statement_lines": {"Meaning": "key.cause", "Pool": "key.cause", "Pool total": "figure.carried_cost", "Passed on": "figure.carried_cost", "Received": "figure.carried_cost", "Shared": "figure.carried_cost",
		"Before sharing": "statement_lines.effective_cost", "Adjusted": "periods.adjustments_effective_cost", "Service in": "statement_lines.day", "Adjusts": "postings.adjusts", "Cost": "figure.carried_cost", "GPU-hours": "statement_lines.gpu_hours"},
	"statement_diff": {"Difference": "statement_diff.difference_effective_cost"},
}
