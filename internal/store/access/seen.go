package access

import "gpuledger/internal/star"

// seen lists the conditions under which scoped users see a row of a table; any one suffices. A table that is not listed
// is closed: only users with full access see its rows. Tables of schema star declare their own conditions
// (internal/star).
var seen = map[string][]string{
	// Purchases and usage are visible to the owners who bear their cost.
	"posting_rows":       placed("owner_id", "node_id"),
	"usage":              placed("owner_id", "node_id"),
	"shares":             placed("owner_id", "cluster"),
	"statement_lines":    placed("owner_id", "cluster"),
	"replaced_estimates": placed("owner_id", "node_id"),
	"owners":             {"owner_id in (select owner_id from owners_in_scope())"},

	// Work has the visibility of its owner.
	"workloads": placed("owner_id", "cluster"),
	"runs":      placed("owner_id", "cluster"),
	"workload_facts": {
		"exists (select from workloads w where w.tenant_id = workload_facts.tenant_id and w.cluster = " +
			"workload_facts.cluster and w.uid = workload_facts.uid)",
	},
	"attempts": star.Ways("run_id", "", known),
	"spans":    {"run_id in (select runs_in_scope())"},
	"charge_splits": {
		"exists (select from workloads w where w.tenant_id = charge_splits.tenant_id and w.uid <> '' and w.uid = pod_uid)",
	},
	"checkpoint_facts": {"run <> '' and run in (select runs_in_scope())", checkpointOf("name"), checkpointOf("uid")},

	// A shared experiment shows only the results that name no run outside the scope.
	"experiment_results": {"experiment in (select experiments_in_scope()) and (run in (select runs_in_scope()) or run " +
		"in (select name from runs)" +
		" or run not in (select run_id from run_words union all select name from run_words))"},
	"budgets":         {"budget_id in (select budgets_in_scope())"},
	"limit_labels":    {"budget_id in (select budgets_in_scope())"},
	"annotations":     {"(key, value) in (select key, value from annotations_in_scope())"},
	"recommendations": star.Ways("owner_id", "cluster", ofOneOwner),
	"request_use":     placed("owner_id", "cluster"),
	"recommendation_states": {
		"exists (select from recommendations r where r.tenant_id = recommendation_states.tenant_id and " +
			"r.recommendation_id = recommendation_states.recommendation_id)",
	},

	// An interrupted machine is visible to owners of the attempts it ended; if it ended none, to the machine's owner.
	"spot_hits": {
		"exists (select from attempts a where a.tenant_id = spot_hits.tenant_id and a.attempt_id = spot_hits.attempt_id)",
	},
	"spot_interruptions": {"exists (select from spot_hits h where h.tenant_id = spot_interruptions.tenant_id and " +
		"h.node_id = spot_interruptions.node_id)",
		"exists (select from unhit_words u where u.tenant_id = spot_interruptions.tenant_id and u.node_id = " +
			"spot_interruptions.node_id" +
			" and (u.owner_id in (select owner_id from owners_in_scope() where cluster is null)" +
			" or u.cluster in (select clusters_in_scope())" +
			" or (u.owner_id, u.cluster) in (select owner_id, cluster from owners_in_scope() where cluster is not null)))"},

	// A finding without an owner concerns several and may name any of them, so it matches no owner.
	"findings": star.Ways("owner_id", "cluster", func(key string) string { return key }),
	"finding_costs": {
		"exists (select from findings f where f.tenant_id = finding_costs.tenant_id and f.finding_id = " +
			"finding_costs.finding_id)",
	},
	"serving_hours": {
		"exists (select from workloads w where w.tenant_id = serving_hours.tenant_id and w.workload_id = " +
			"serving_hours.workload_id)",
	},

	// Machines are visible to every owner that may run on them.
	"nodes": machines, "node_facts": machines, "devices": machines,
	"node_stretches": machines, "sample_hours": machines, "source_hours": machines,

	// Names, prices and work queues concern no owner.
	"tenants": anybody, "periods": anybody, "period_states": anybody, "exchange_rates": anybody,
	"posting_terms": anybody, "segments": anybody, "rates": anybody, "derived_rates": anybody, "spot_rates": anybody,
	"chunks": anybody, "frozen_hours": anybody, "dirty": anybody, "stale_days": anybody, "stale_hours": anybody,
	"analysis_days": anybody, "rolled_days": anybody, "rolled_months": anybody, "newest_marks": anybody,
}

// machines are the conditions for rows about machines without their owners: a scope with an owner in all clusters sees
// all machines, others see the machines of their clusters.
var machines = []string{"exists (select from owners_in_scope() where cluster is null)",
	"cluster in (select clusters_in_scope())",
	"cluster in (select cluster from owners_in_scope() where cluster is not null)"}

// anybody lets every scoped user see the rows.
var anybody = []string{"true"}

// secret tables are readable only by the owner of the tables. Even users with full access cannot read them.
var secret = []string{
	"scopes", "scope_owners", "scope_teams", "scope_clusters", "scope_logins",
	"users", "user_links", "sessions", "tokens", "sign_in_failures", "sign_in_requests", "logout_tokens", "schema_version",
	"saved_views", "start_views", "kept_answers",
}

// words are views that run with their owner's rights, so they show rows that scoped users cannot read: names of bill
// lines without amounts, machine activity without owners, whole runs, exchange rates. Statements join them with visible rows. No
// database login reads them.
var words = []string{
	"charge_words", "part_words", "delivery_words", "book_scopes",
	"attempt_words", "node_words", "sample_words", "warning_words",
	"stored_hours", "known_until", "model_words", "statement_words", "run_words",
	"hold_words", "placement_words", "span_words", "unhit_words", "attempt_places", "waited_until", "cluster_currencies",
	"postings_of_runs", "usage_of_runs", "rate_words", "focus_lines", "focus_parts",
}

// known maps null to the id for unknown owners and machines; clusters and runs are never null.
func known(key string) string {
	if key == "cluster" || key == "run_id" {
		return key
	}
	return "coalesce(" + key + ", '00000000-0000-0000-0000-000000000000')"
}

// ofOneOwner is the owner of a recommendation; null for "repartition" and unknown owners, because advice on
// partitioning cards may name any owner that shares them.
func ofOneOwner(key string) string {
	if key == "owner_id" {
		return "case when kind <> 'repartition' then nullif(owner_id, '00000000-0000-0000-0000-000000000000') end"
	}
	return key
}

// checkpointOf is the condition for checkpoints whose pod is the given column of a workload. One condition per column
// lets the server hash it; a condition on several columns forces a lookup per row.
func checkpointOf(column string) string {
	return "exists (select from workloads w where w.tenant_id = checkpoint_facts.tenant_id and w.cluster = " +
		"checkpoint_facts.cluster" +
		" and w.namespace = checkpoint_facts.namespace and w." + column + " = pod)"
}

// placed are the conditions for rows with an owner and a place.
func placed(org, place string) []string {
	if place != "node_id" {
		return star.Ways(org, place, known)
	}
	// The machine's cluster is looked up only for rows of owners that the scope limits to clusters.
	const in = "case when node_id is null then '' else " + star.ClusterOfRow + " end"
	return append(star.Ways(org, "", known),
		known(place)+" in (select nodes_in_scope())",
		"node_id is null and '' in (select clusters_in_scope())",
		known(org)+" in (select owner_id from bound_owners_in_scope())\n"+
			"      and ("+known(org)+", "+in+") in (select owner_id, cluster from bound_owners_in_scope())")
}
