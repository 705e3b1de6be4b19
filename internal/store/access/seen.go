package access

import (
	"slices"

	"gpuledger/internal/star"
)

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
	"workloads":     placed("owner_id", "cluster"),
	"runs":          placed("owner_id", "cluster"),
	"attempts":      star.Ways("run_id", "", known),
	"charge_splits": {"exists (select from workloads w where w.tenant_id = charge_splits.tenant_id and w.uid <> '' and w.uid = pod_uid)"},
	"checkpoint_facts": {"run <> '' and run in (select runs_in_scope())",
		"exists (select from workloads w where w.tenant_id = checkpoint_facts.tenant_id and w.cluster = checkpoint_facts.cluster" +
			" and w.namespace = checkpoint_facts.namespace and (w.name = pod or w.uid = pod))"},

	// Machines are seen by whoever may be on them.
	"nodes": {"exists (select from owners_in_scope() where cluster is null)", "cluster in (select clusters_in_scope())",
		"cluster in (select cluster from owners_in_scope() where cluster is not null)"},

	// Words, prices, and what is to do name nobody.
	"tenants": anybody, "periods": anybody, "period_states": anybody, "exchange_rates": anybody,
	"posting_terms": anybody, "segments": anybody, "rates": anybody, "derived_rates": anybody, "spot_rates": anybody,
	"chunks": anybody, "frozen_hours": anybody, "dirty": anybody, "stale_days": anybody, "stale_hours": anybody,
	"analysis_days": anybody, "rolled_days": anybody, "rolled_months": anybody, "newest_marks": anybody,
}

// anybody with a scope sees the rows.
var anybody = []string{"true"}

// secret tables are read by nobody but their owner: not even by those who see
// everything.
var secret = []string{
	"scopes", "scope_owners", "scope_teams", "scope_clusters", "scope_logins",
	"users", "user_links", "sessions", "tokens", "sign_in_failures", "schema_version",
}

// words are views that run by the rights of their owner, so that they show what
// tables have that nobody sees in part: names of bill lines without amounts.
var words = []string{"charge_words", "part_words", "delivery_words", "book_scopes"}

// never null are keys of owners and places that always are.
var neverNull = []string{"cluster"}

// known is a key with the member that stands for unknown.
func known(key string) string {
	switch {
	case slices.Contains(neverNull, key):
		return key
	case key == "run_id":
		return "run_id"
	}
	return "coalesce(" + key + ", '00000000-0000-0000-0000-000000000000')"
}

// placed are the ways to see rows of an owner at a place.
func placed(org, place string) []string {
	ways := star.Ways(org, place, known)
	if place == "node_id" { // without a machine it is in no cluster
		ways = append(ways, "node_id is null and '' in (select clusters_in_scope())",
			"node_id is null and ("+known(org)+", '') in (select owner_id, cluster from owners_in_scope() where cluster is not null)")
	}
	return ways
}
