package access

import "gpuledger/internal/star"

// seen says in which ways somebody with bounds sees rows of a table of the ledger, as
// conditions. A table that is not here is closed: its rows are for those who see
// everything. Tables of schema star say it themselves (internal/star).
var seen = map[string][]string{
	// What was bought and used is seen by whoever bears it.
	"posting_rows":    placed("owner_id", "node_id"),
	"usage":           placed("owner_id", "node_id"),
	"shares":          placed("owner_id", "cluster"),
	"statement_lines": placed("owner_id", "cluster"),
	"owners":          {"owner_id in (select owner_id from owners_in_scope())"},

	// Work is seen with its owner.
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

	// Of an experiment with runs of others those results are seen that name none of theirs.
	"experiment_results": {"experiment in (select experiments_in_scope()) and (run in (select runs_in_scope()) or run " +
		"in (select name from runs)" +
		" or run not in (select run_id from run_words union all select name from run_words))"},
	"recommendations": star.Ways("owner_id", "cluster", ofOneOwner),
	"request_use":     placed("owner_id", "cluster"),
	"recommendation_states": {
		"exists (select from recommendations r where r.tenant_id = recommendation_states.tenant_id and " +
			"r.recommendation_id = recommendation_states.recommendation_id)",
	},

	// A machine that was taken away is seen by those whose attempt it ended, else by its owner.
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

	// Without an owner a finding is of what several had: it may name any of them.
	"findings": star.Ways("owner_id", "cluster", func(key string) string { return key }),
	"finding_costs": {
		"exists (select from findings f where f.tenant_id = finding_costs.tenant_id and f.finding_id = " +
			"finding_costs.finding_id)",
	},
	"serving_hours": {
		"exists (select from workloads w where w.tenant_id = serving_hours.tenant_id and w.workload_id = " +
			"serving_hours.workload_id)",
	},

	// Machines are seen by whoever may be on them.
	"nodes": machines, "node_facts": machines, "devices": machines,
	"node_stretches": machines, "sample_hours": machines, "source_hours": machines,

	// Words, prices, and what is to do name nobody.
	"tenants": anybody, "periods": anybody, "period_states": anybody, "exchange_rates": anybody,
	"posting_terms": anybody, "segments": anybody, "rates": anybody, "derived_rates": anybody, "spot_rates": anybody,
	"chunks": anybody, "frozen_hours": anybody, "dirty": anybody, "stale_days": anybody, "stale_hours": anybody,
	"analysis_days": anybody, "rolled_days": anybody, "rolled_months": anybody, "newest_marks": anybody,
}

// machines are the ways to see what machines are and do, without for whom: those of all
// clusters where a scope binds its owners to none.
var machines = []string{"exists (select from owners_in_scope() where cluster is null)",
	"cluster in (select clusters_in_scope())",
	"cluster in (select cluster from owners_in_scope() where cluster is not null)"}

// anybody with a scope sees the rows.
var anybody = []string{"true"}

// secret tables are read by nobody but their owner: not even by those who see
// everything.
var secret = []string{
	"scopes", "scope_owners", "scope_teams", "scope_clusters", "scope_logins",
	"users", "user_links", "sessions", "tokens", "sign_in_failures", "sign_in_requests", "logout_tokens", "schema_version",
}

// words are views that run by the rights of their owner, so that they show what
// tables have that nobody sees in part: names of bill lines without amounts, what
// machines did without whose it was, whole runs of somebody. Statements join them with
// rows that are seen; no login of the database reads them.
var words = []string{
	"charge_words", "part_words", "delivery_words", "book_scopes",
	"attempt_words", "node_words", "sample_words", "warning_words",
	"stored_hours", "known_until", "model_words", "statement_words", "run_words",
	"hold_words", "placement_words", "span_words", "unhit_words", "attempt_places", "waited_until", "cluster_currencies",
	"postings_of_runs", "usage_of_runs",
}

// known is a key with the member that stands for unknown; clusters and runs always are.
func known(key string) string {
	if key == "cluster" || key == "run_id" {
		return key
	}
	return "coalesce(" + key + ", '00000000-0000-0000-0000-000000000000')"
}

// ofOneOwner is the owner of a recommendation, where it is about what one has: how to cut
// cards, and what several share, may name any of those.
func ofOneOwner(key string) string {
	if key == "owner_id" {
		return "case when kind <> 'repartition' then nullif(owner_id, '00000000-0000-0000-0000-000000000000') end"
	}
	return key
}

// checkpointOf is the way to see what a pod reported that a column of workloads names.
// The server can hash what such a condition asks for, or look it up row by row; of
// several columns at once it can only look up, and joins as if each row cost that.
func checkpointOf(column string) string {
	return "exists (select from workloads w where w.tenant_id = checkpoint_facts.tenant_id and w.cluster = " +
		"checkpoint_facts.cluster" +
		" and w.namespace = checkpoint_facts.namespace and w." + column + " = pod)"
}

// placed are the ways to see rows of an owner at a place.
func placed(org, place string) []string {
	if place != "node_id" {
		return star.Ways(org, place, known)
	}
	// The machine's cluster is looked up for rows of owners that are bound to one.
	const in = "case when node_id is null then '' else " + star.ClusterOfRow + " end"
	return append(star.Ways(org, "", known),
		known(place)+" in (select nodes_in_scope())",
		"node_id is null and '' in (select clusters_in_scope())",
		known(org)+" in (select owner_id from bound_owners_in_scope())\n"+
			"      and ("+known(org)+", "+in+") in (select owner_id, cluster from bound_owners_in_scope())")
}
