package metrics

import "slices"

var periods = Dataset{
	Name: "periods",
	Lead: []string{"billing_account", "billing_period", "state", Basis, "currency", "billed_cost", "closed_at",
		"closed_by", "version"},
	Doc: "One billing month of a billing account: whether it is closed, its costs, and adjustments since.",
	Columns: sourced("parts, period_states, statements, frozen_hours", slices.Concat(
		[]Column{
			attr("billing_account", Text, "Payer account of the bills."),
			attr("billing_period", Text, "Billing month."),
			attr("state", Text, "open, closing or closed.").values("open", "closing", "closed"),
			attr("version", Count, "Version of the newest statement, also of a reopened period; NULL: never closed."),
			attr("digest", Text, "SHA-256 of that statement, hexadecimal."),
			attr("closed_at", Time, "When that statement was written."),
			attr("closed_by", Text, "Who closed."),
			attr("reopened_at", Time, "When that statement was reopened; NULL: not reopened, or no statement."),
			attr("currency", Text, "Currency (ISO 4217) of the costs."),
		},
		fourCosts(),
		[]Column{
			moneyColumn("adjustments_effective_cost", "Effective cost that later periods post of its charges; NULL: none.",
				Field("adjustments_effective_cost")),
			moneyColumn("adjustments_billed_cost", "Billed cost that later periods post of its charges; NULL: none.",
				Field("adjustments_billed_cost")),
			attr("late_hours", Count,
				"Node-hours of the period whose telemetry came after the close and would change them."),
		},
	)...),
	RowKey: []string{"billing_account", "billing_period", "currency"},
	Order:  []Order{{Column: "billing_period", Desc: true}, {Column: "billing_account"}, {Column: "currency"}},
}

var statements = Dataset{
	Name: "statements",
	Lead: []string{"billing_account", "billing_period", "version", "state", "closed_at", "closed_by", "lines",
		"reopened_at", "reopen_reason", "digest"},
	Doc: "One version of the statement of a closed period. It never changes.",
	Columns: sourced("statements", []Column{
		attr("billing_account", Text, "Payer account of the bills."),
		attr("billing_period", Text, "Billing month."),
		attr("version", Count, "From 1; each close writes the next."),
		attr("state", Text, "final: in force; reopened: the period was opened again.").values("final", "reopened"),
		attr("digest", Text, "SHA-256 of its canonical bytes, hexadecimal."),
		attr("closed_at", Time, "When the period was closed."),
		attr("closed_by", Text, "Who closed it."),
		attr("reopened_at", Time, "When it was reopened."),
		attr("reopened_by", Text, "Who reopened it."),
		attr("reopen_reason", Text, "Why."),
		attr("policy_versions", Text, "Versions of the policy that its postings were computed with, joined by commas."),
		attr("open_period", Text, "Period that takes later adjustments, as of the close."),
		attr("lines", Count, "Lines, in dataset statement_lines."),
		attr("bytes", Count, "Length of its canonical bytes."),
		attr("rows_digest", Text, "SHA-256 over the digests of its final rows by node-day, hexadecimal."),
		attr("number", Count, "Number in the chain of all statements, from 1."),
		attr("chain", Text, "Hash of its contents and of the statement before, hexadecimal."),
	}...),
	RowKey: []string{"billing_account", "billing_period", "version"},
	Order:  []Order{{Column: "billing_period", Desc: true}, {Column: "billing_account"}, {Column: "version", Desc: true}},
}

var statementLines = Dataset{
	Name:   "statement_lines",
	Lead:   []string{"day", "team", "cause", Basis, "currency", "gpu_hours", "project", "node", "run_id"},
	InPart: true,
	Doc: "One line of a statement: an owner's cost of one cause on one day in one place. Lines of kind shared_in and " +
		"shared_out are the pairs of sharing: totals with them are after sharing, without them before.",
	Windowed: true,
	Columns: sourced("statement_lines, owners", slices.Concat(
		[]Column{
			attr("billing_account", Text, "Payer account of the bills."),
			attr("billing_period", Text, "Billing month."),
			attr("version", Count, "Version of the statement."),
			attr("line", Count, "Number in the statement, from 1."),
			attr("state", Text, "State of the statement: final or reopened.").values("final", "reopened"),
			attr("day", Time, "UTC day of the service."),
			attr("provider", Text, "Provider of the bill."),
			attr("account", Text, "Account that used."),
			attr("region", Text, "Region."),
			attr("cluster", Text, "Cluster."),
			attr("node", Text, "Node."),
			attr("namespace", Text, "Namespace."),
			attr("workload_kind", Text, "Kind of the workload."),
			attr("service", Text, "Service."),
			attr("run_id", Text, "Run."),
			attr("owner_id", ID, "Owner as of the service hour."),
			attr("team", Text, "Team of the owner, or `unowned`."),
			attr("project", Text, "Project of the owner."),
			attr("cause", Text, "Why the money was spent."),
			attr("kind", Text, "direct, amortise, adjustment, shared_in or shared_out.").values("direct", "amortise",
				"adjustment", "shared_in", "shared_out"),
			attr("quality", Text, "measured, estimated or assumed; NULL for pairs of sharing."),
			attr("currency", Text, "Currency (ISO 4217)."),
		},
		fourCosts(),
		[]Column{
			gpuHours("gpu_hours", "Held GPU-hours.", Field("gpu_hours")),
			gpuHours("capacity_gpu_hours", "GPU-hours of the machine, held or not.", Field("capacity_gpu_hours")),
			gpuHours("active_gpu_hours", "Active GPU-hours.", Field("active_gpu_hours")),
			{Name: "energy_kwh", Kind: Quantity, Unit: "kWh", Doc: "Energy.", Formula: Field("energy_kwh")},
		},
	)...),
	RowKey: []string{"billing_account", "billing_period", "version", "line"},
	Order: []Order{
		{Column: "billing_period", Desc: true}, {Column: "billing_account"},
		{Column: "version", Desc: true}, {Column: "line"},
	},
}

var audit = Dataset{
	Name: "audit", Logged: true,
	Lead: []string{"at", "actor", "action", "subject", "detail", "number"},
	Doc: "One entry of the audit log: who closed, reopened, changed the policy or decided on advice, who signed in, " +
		"was refused or was given access. Each entry is chained to the one before.",
	Columns: sourced("audit_log", []Column{
		attr("number", Count, "From 1, without gaps."),
		attr("at", Time, "Time of the action."),
		attr("actor", Text, "Who did it."),
		attr("action", Text, "What was done: close, close refused, reopen, policy …, signed in, sign-in failed, refused, "+
			"user added, token created …"),
		attr("subject", Text, "Subject of the action: ACCOUNT/PERIOD, a version of the policy, a user, a token, or the "+
			"request."),
		attr("detail", Text, "Further details, as JSON."),
		attr("hash", Text, "Hash of this entry and of the one before, hexadecimal."),
	}...),
	RowKey: []string{"number"},
	Order:  []Order{{Column: "number", Desc: true}},
}

var changes = Dataset{
	Name: "changes", Logged: true, Expiring: true,
	Lead: []string{"asked_at", "kind", "subject", "state", "asked_by", "expires_at", "reason", "decided_by",
		"decided_at", "change_id"},
	Doc: "One change of the books that needs a second person: the request and its outcome.",
	Columns: sourced("changes", []Column{
		attr("change_id", ID, "Id of the request, used to confirm or decline it."),
		attr("kind", Text, "Requested action, as the audit log names it.").values("reopen", "store policy",
			"withdraw policy", "store mapping"),
		attr("subject", Text, "Subject of the action: ACCOUNT/PERIOD, PERIOD of all accounts, a version of the policy, or "+
			"a mapping."),
		attr("state", Text, "waiting; confirmed and done; declined; taken back by the requester; expired after seven days; "+
			"outdated: its subject changed before it was confirmed.").
			values("waiting", "confirmed", "declined", "taken back", "expired", "outdated"),
		attr("asked_by", Text, "Who requested it."),
		attr("asked_as", Text, "How the requester was identified: session, token or operator; command: the name was given "+
			"without proof.").values("session", "token", "operator", "command"),
		attr("asked_at", Time, "When it was requested."),
		attr("expires_at", Time, "When it expires."),
		attr("reason", Text, "Reason for reopening, or for the version of a mapping."),
		attr("decided_by", Text, "Who confirmed it, declined it or took it back."),
		attr("decided_at", Time, "When that was."),
		attr("note", Text, "Why it was declined, or why it is outdated."),
		attr("asked", Text, "The exact request, as JSON: a policy or mapping with its document, and the state at that "+
			"time."),
		attr("digest", Text, "SHA-256 of the request, hexadecimal; the audit log has it, too."),
	}...),
	RowKey: []string{"change_id"},
	Order:  []Order{{Column: "asked_at", Desc: true}},
}
