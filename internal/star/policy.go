package star

import (
	"fmt"
	"slices"
	"strings"
)

// A scope is what a user may see: conditions on business unit, team, project, environment and cluster. The database
// keeps it as members (migration 007): owners, anywhere or in one cluster; teams whose owners are all in scope; and
// clusters whose owners are all in scope. A policy tests whether a row's key is a member, so that one plan serves every
// scope. The member '' or the zero id means unknown.

// scoped are the owner dimensions that scopes use. A roll-up that has all of them may name any owner with the same
// values.
var scoped = []string{"business_unit", "team", "project", "environment"}

// Nobody is the org key of rows that add up several owners and belong to none: users who may see unheld time see them.
const Nobody = "nobody"

// orgKey is the roll-up's key that decides which owners' rows a user sees; empty if there is none.
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

// placeKey is the roll-up's key that decides which clusters' rows a user sees; empty if there is none.
func (f *Fact) placeKey(r *Rollup) string {
	i := slices.IndexFunc(f.Place, r.Has)
	if i < 0 {
		return ""
	}
	return f.Place[i]
}

// InScopes reports whether each row of a roll-up belongs to one owner (or run) and one place, so that any scope has all
// or nothing of it; for a scope of whole teams, to one team. Other rows are visible only to users with access to
// everything that they add up. anywhere is a scope without a cluster, which needs no place.
func (f *Fact) InScopes(r *Rollup, wholeTeams, anywhere bool) bool {
	if r.namesMachines() {
		return true
	}
	org := f.orgKey(r)
	return (org == "owner_id" || org == "run_id" || org == "team" && wholeTeams) && (anywhere || f.placeKey(r) != "")
}

// namesMachines reports whether a roll-up only lists machines, so that access to the machine is access to its row.
func (r *Rollup) namesMachines() bool {
	return r.Measures != nil && len(r.Measures) == 0 && r.Has("node_id") && !r.Has("owner_id")
}

// Policy is the table's row-level security policy. It applies once row security is enabled on the table.
func (t Table) Policy() string {
	return InScope(t.Name(), t.seen()...)
}

// Unscoped is true for users without a limited scope. The server evaluates it once, before it reads any row, so that no
// plan reveals the number of rows.
const Unscoped = "(select everything from session_scope()) is not false"

// InScope is a row-level security policy: full access sees all rows of the tenant, a limited scope the rows that one of
// the ways allows.
func InScope(table string, ways ...string) string {
	seen := append([]string{"(select everything from session_scope())"}, ways...)
	return fmt.Sprintf("create policy in_scope on %s for select using (\n  tenant_id = (select tenant_id from "+
		"session_scope()) and (%s));\n",
		table, strings.Join(seen, "\n    or "))
}

// seen are the ways in which a limited scope sees a row.
func (t Table) seen() []string {
	place := t.Fact.placeKey(t.Rollup)
	switch {
	case t.Fact.Closed != "":
		return nil
	case t.Rollup.namesMachines():
		return t.seenByAnybody(place)
	}
	return Ways(t.Fact.orgKey(t.Rollup), place, t.known) // without an owner key, rows of whole clusters in scope
}

// Ways are the ways in which a limited scope sees a row with a key of its owner (owner_id, team, run_id) and a key of
// its place (cluster, node_id); either may be empty. known returns a key with the member for unknown.
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
		if org != "" { // the first condition avoids a lookup per row for scopes that bind no owner to a cluster
			ways = append(ways, fmt.Sprintf("exists (select from %[3]s where cluster is not null)\n"+
				"      and (%[1]s, "+ClusterOfRow+") in (select %[2]s, cluster from %[3]s where cluster is not null)",
				known(org), member, members))
		}
	}
	return ways
}

// seenByAnybody are the ways of a roll-up that only lists machines: the machine is in scope for at least one owner.
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

// known is the key, with the member for unknown in place of null.
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
