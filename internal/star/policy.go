package star

import (
	"fmt"
	"slices"
	"strings"
)

// A scope is what somebody may see: conditions on business unit, team, project,
// environment and cluster. The database keeps it as members (migration 007): its
// owners, wherever or in a cluster, teams of which it has all owners, and clusters
// of which it has all owners. A policy asks whether a row's key is a member, so
// that one plan serves every scope. What is unknown is the member '' or zeros.

// scoped are the dimensions of owners that scopes are made of: a roll-up that has
// all of them may name any owner that has the same.
var scoped = []string{"business_unit", "team", "project", "environment"}

// Nobody is the org key of rows that are of no owner and add up what several had: seen
// by whoever sees what nobody holds.
const Nobody = "nobody"

// orgKey is the key of a roll-up that decides whose rows are seen; empty where
// nothing does.
func (f *Fact) orgKey(r *Rollup) string {
	for _, k := range f.Org {
		whole := func(name string) bool { return r.Has(name) }
		if r.Has(k) || k == Nobody || slices.Contains(r.Any, k) &&
			!slices.ContainsFunc(scoped, func(d string) bool { return !whole(d) }) {
			return k
		}
	}
	return ""
}

// placeKey is the key of a roll-up that decides where from rows are seen.
func (f *Fact) placeKey(r *Rollup) string {
	i := slices.IndexFunc(f.Place, r.Has)
	if i < 0 {
		return ""
	}
	return f.Place[i]
}

// InScopes reports whether each row of a roll-up is of one owner (or run) and one place, so that
// any scope has all or nothing of it; for a scope of whole teams, of one team. Rows of
// another are seen by those alone who see all that they add up. A scope that is of no
// cluster, anywhere, asks for no place.
func (f *Fact) InScopes(r *Rollup, wholeTeams, anywhere bool) bool {
	if r.namesMachines() {
		return true
	}
	org := f.orgKey(r)
	return (org == "owner_id" || org == "run_id" || org == "team" && wholeTeams) && (anywhere || f.placeKey(r) != "")
}

// namesMachines reports whether a roll-up says of machines no more than that they are
// there: whoever sees the machine sees its row.
func (r *Rollup) namesMachines() bool {
	return r.Measures != nil && len(r.Measures) == 0 && r.Has("node_id") && !r.Has("owner_id")
}

// Policy is the policy of row-level security of the table. It holds once row
// security is enabled on it.
func (t Table) Policy() string {
	return InScope(t.Name(), t.seen()...)
}

// Unscoped holds for whoever has no scope with bounds. The server asks it once, before it
// reads any row, so that no plan says how many there are.
const Unscoped = "(select everything from session_scope()) is not false"

// InScope is a policy of row-level security: who sees everything sees all rows of the
// tenant, who has bounds those that one of the ways allows.
func InScope(table string, ways ...string) string {
	seen := append([]string{"(select everything from session_scope())"}, ways...)
	return fmt.Sprintf("create policy in_scope on %s for select using (\n  tenant_id = (select tenant_id from "+
		"session_scope()) and (%s));\n",
		table, strings.Join(seen, "\n    or "))
}

// seen are the ways in which a scope with bounds sees a row.
func (t Table) seen() []string {
	place := t.Fact.placeKey(t.Rollup)
	switch {
	case t.Fact.Closed != "":
		return nil
	case t.Rollup.namesMachines():
		return t.seenByAnybody(place)
	}
	return Ways(t.Fact.orgKey(t.Rollup), place, t.known) // of machines without owners, those of whole clusters
}

// Ways are the ways in which a scope with bounds sees a row that has a key of its
// owner (owner_id, team, run_id) and one of its place (cluster, node_id); either may
// be empty. known is a key with the member that stands for unknown.
func Ways(org, place string, known func(key string) string) []string {
	var ways []string
	members := map[string]string{
		"owner_id": "owners_in_scope()", Nobody: "owners_in_scope()", "team": "teams_in_scope()",
	}[org]
	member := strings.Replace(org, Nobody, "owner_id", 1)
	switch org {
	case "":
	case "run_id":
		return []string{known(org) + " in (select runs_in_scope())"}
	default:
		ways = append(ways, fmt.Sprintf("%s in (select %s from %s where cluster is null)", known(org), member, members))
	}
	switch place {
	case "cluster":
		ways = append(ways, known(place)+" in (select clusters_in_scope())")
		if org != "" {
			ways = append(ways, fmt.Sprintf("(%s, %s) in (select %s, cluster from %s where cluster is not null)", known(org),
				known(place), member, members))
		}
	case "node_id":
		ways = append(ways, known(place)+" in (select nodes_in_scope())")
		if org != "" { // the first condition keeps scopes that bind no owner to a cluster from asking by row
			ways = append(ways, fmt.Sprintf("exists (select from %[3]s where cluster is not null)\n"+
				"      and (%[1]s, "+ClusterOfRow+") in (select %[2]s, cluster from %[3]s where cluster is not null)",
				known(org), member, members))
		}
	}
	return ways
}

// seenByAnybody are the ways of a roll-up that says only which machines there are: the
// machine is in scope, for some owner at least.
func (t Table) seenByAnybody(place string) []string {
	return []string{
		"exists (select from owners_in_scope() where cluster is null)",
		place + " in (select nodes_in_scope())",
		"exists (select from owners_in_scope() where cluster is not null)\n" +
			"      and " + ClusterOfRow + " in (select cluster from owners_in_scope() where cluster is not null)",
	}
}

// ClusterOfRow is the cluster of a row's machine.
const ClusterOfRow = "(select n.place from node_words n (tenant, node, place) where n.tenant = tenant_id and " +
	"n.node = node_id)"

// known is a key with the member that stands for unknown.
func (t Table) known(key string) string {
	k, _ := t.Fact.Key(key)
	switch {
	case key == Nobody:
		return "'00000000-0000-0000-0000-000000000000'::uuid"
	case k.Always && t.Rollup.Has(key) || key == "":
		return key
	case k.Type == ID:
		return "coalesce(" + key + ", '00000000-0000-0000-0000-000000000000')"
	}
	return "coalesce(" + key + ", '')"
}
