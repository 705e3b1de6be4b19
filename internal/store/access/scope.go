package access

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// ScopeKeys are the keys that conditions of a scope may name.
var ScopeKeys = []string{"business_unit", "team", "project", "environment", "cluster"}

// clusterKey is the only scope key that is not a key of owners.
const clusterKey = "cluster"

// parseScope parses conditions, which have the grammar of cost filters.
func parseScope(conditions []string) ([]metrics.Expr, error) {
	var all []metrics.Expr
	for _, text := range conditions {
		said, err := metrics.ParseFilter(text)
		if err != nil {
			return nil, refuse("scope %q: %s", text, err)
		}
		for _, key := range metrics.FilterKeys(said) {
			if !slices.Contains(ScopeKeys, key) {
				return nil, refuse("scope %q: %s cannot be used in a scope; use %s", text, key, strings.Join(ScopeKeys, ", "))
			}
		}
		q, err := metrics.Parse("costs", metrics.Options{Filter: text}) // it checks the kinds of keys
		if err != nil {
			return nil, refuse("scope %q: %s", text, err)
		}
		if q.Filter == nil {
			return nil, refuse("scope %q: it needs a condition on %s", text, strings.Join(ScopeKeys, ", "))
		}
		all = append(all, q.Filter)
	}
	return all, nil
}

// CheckScope refuses invalid scope conditions with a *access.RefusedError.
func CheckScope(conditions ...string) error {
	_, err := parseScope(conditions)
	return err
}

// owner is an owner with its scope keys; an empty value is unknown.
type owner struct {
	id   ledger.ID
	keys map[string]string
}

// member is an owner or team in scope, in one cluster, or in all if cluster is nil.
type member[T any] struct {
	what    T
	cluster *string
}

// members are the owners, teams and clusters that match a scope's conditions. Owners and clusters include the one for
// unknown.
type members struct {
	owners   []member[ledger.ID]
	teams    []member[string]
	clusters []string
}

// membersOf evaluates conditions, at least one of which must hold.
func membersOf(any []metrics.Expr, owners []owner, clusters []string) members {
	var m members
	byCluster := slices.ContainsFunc(any, func(e metrics.Expr) bool {
		return slices.Contains(metrics.FilterKeys(e), clusterKey)
	})
	holds := func(o *owner, cluster string) bool {
		return slices.ContainsFunc(any, func(e metrics.Expr) bool {
			return metrics.Matches(e, func(key string) (string, bool) {
				value := cluster
				if key != clusterKey {
					value = o.keys[key]
				}
				return value, value != ""
			})
		})
	}
	inCluster := make([]int, len(clusters))         // owners in scope in the cluster
	ofTeam := map[string]int{}                      // owners of a team
	teamIn := make([]map[string]int, len(clusters)) // owners of a team in scope in the cluster
	for c := range clusters {
		teamIn[c] = map[string]int{}
	}
	for i := range owners {
		o := &owners[i]
		team := o.keys["team"]
		ofTeam[team]++
		var in []int
		if !byCluster {
			if holds(o, "") {
				in = make([]int, len(clusters))
				for c := range clusters {
					in[c] = c
				}
			}
		} else {
			for c, name := range clusters {
				if holds(o, name) {
					in = append(in, c)
				}
			}
		}
		for _, c := range in {
			inCluster[c]++
			teamIn[c][team]++
		}
		if len(in) == len(clusters) {
			m.owners = append(m.owners, member[ledger.ID]{o.id, nil})
			continue
		}
		for _, c := range in {
			m.owners = append(m.owners, member[ledger.ID]{o.id, &clusters[c]})
		}
	}
	for c, n := range inCluster {
		if n == len(owners) {
			m.clusters = append(m.clusters, clusters[c])
		}
	}
	for team, n := range ofTeam {
		everywhere := true
		for c := range clusters {
			whole := teamIn[c][team] == n
			everywhere = everywhere && whole
			if whole {
				m.teams = append(m.teams, member[string]{team, &clusters[c]})
			}
		}
		if everywhere {
			m.teams = append(m.teams, member[string]{team, nil})
		}
	}
	return m
}

// shape has facts about a scope that queries need before they are planned.
type shape struct {
	wholeTeams bool     // if the scope has an owner of a team somewhere, it has the whole team there
	anywhere   bool     // its owners are in scope in every cluster, and it has no whole cluster
	teams      []string // teams with an owner in scope, in any cluster; nil: it has whole clusters, so all teams
}

func (m members) shape(owners []owner) shape {
	teamOf := map[ledger.ID]string{}
	for i := range owners {
		teamOf[owners[i].id] = owners[i].keys["team"]
	}
	s := shape{wholeTeams: true, anywhere: len(m.clusters) == 0}
	for _, o := range m.owners {
		s.anywhere = s.anywhere && o.cluster == nil
		s.wholeTeams = s.wholeTeams && slices.ContainsFunc(m.teams, func(t member[string]) bool {
			return t.what == teamOf[o.what] && (t.cluster == nil || o.cluster != nil && *t.cluster == *o.cluster)
		})
	}
	if len(m.clusters) == 0 {
		s.teams = []string{}
		for _, o := range m.owners {
			s.teams = append(s.teams, teamOf[o.what])
		}
		slices.Sort(s.teams)
		s.teams = slices.Compact(s.teams)
	}
	return s
}

// RefreshScopes recomputes the members of all scopes after owners or machines changed. Until then new owners and
// clusters are in no scope.
func (s *Access) RefreshScopes(ctx context.Context) error {
	return s.DB.InTx(ctx, "refresh scopes", func(tx pgx.Tx) error { return refreshScopes(ctx, tx, nil) })
}

// refreshScopes is RefreshScopes for one scope, or for all if only is nil.
func refreshScopes(ctx context.Context, tx pgx.Tx, only *ledger.ID) error {
	scopes, err := pg.List[struct {
		ScopeID    ledger.ID
		Conditions []string
		Digest     string
	}](ctx, tx, "access.bounded_scopes", pg.Tenant, only)
	if err != nil || len(scopes) == 0 {
		return err
	}
	known, err := pg.List[struct {
		OwnerID                                  ledger.ID
		BusinessUnit, Team, Project, Environment string
	}](ctx, tx, "access.owners", pg.Tenant)
	if err != nil {
		return err
	}
	owners := []owner{{keys: map[string]string{}}}
	for _, o := range known {
		owners = append(owners, owner{o.OwnerID, map[string]string{
			"business_unit": o.BusinessUnit, "team": o.Team, "project": o.Project, "environment": o.Environment}})
	}
	clusters, err := pg.Values[string](ctx, tx, "access.clusters", pg.Tenant)
	if err != nil {
		return err
	}
	clusters = append([]string{""}, clusters...)
	for _, s := range scopes {
		conditions, err := parseScope(s.Conditions)
		if err != nil { // written by a newer version
			return fmt.Errorf("scope %s: %w", s.ScopeID, err)
		}
		m := membersOf(conditions, owners, clusters)
		digest := m.digest()
		if digest == s.Digest {
			continue
		}
		if err := putMembers(ctx, tx, s.ScopeID, m, digest, m.shape(owners)); err != nil {
			return err
		}
	}
	return nil
}

// digest covers all members, and marks that the shape was stored too.
func (m members) digest() string {
	list := []string{"and its shape"}
	at := func(cluster *string) string {
		if cluster == nil {
			return "everywhere"
		}
		return "in " + *cluster
	}
	for _, o := range m.owners {
		list = append(list, "owner\x00"+o.what.String()+"\x00"+at(o.cluster))
	}
	for _, t := range m.teams {
		list = append(list, "team\x00"+t.what+"\x00"+at(t.cluster))
	}
	for _, c := range m.clusters {
		list = append(list, "cluster\x00"+c)
	}
	slices.Sort(list)
	sum := sha256.Sum256([]byte(strings.Join(list, "\x01")))
	return hex.EncodeToString(sum[:])
}

func putMembers(ctx context.Context, tx pgx.Tx, scope ledger.ID, m members, digest string, of shape) error {
	for _, name := range []string{"access.clear_owners", "access.clear_teams", "access.clear_clusters"} {
		if _, err := pg.Exec(ctx, tx, name, pg.Tenant, scope); err != nil {
			return err
		}
	}
	var ids []ledger.ID
	var idsAt []*string
	for _, o := range m.owners {
		ids, idsAt = append(ids, o.what), append(idsAt, o.cluster)
	}
	var teams []string
	var teamsAt []*string
	for _, t := range m.teams {
		teams, teamsAt = append(teams, t.what), append(teamsAt, t.cluster)
	}
	for _, put := range []struct {
		name string
		args []any
	}{
		{"access.put_owners", []any{ids, idsAt}},
		{"access.put_teams", []any{teams, teamsAt}},
		{"access.put_clusters", []any{m.clusters}},
		{"access.put_shape", []any{digest, of.wholeTeams, of.anywhere, of.teams}},
	} {
		if _, err := pg.Exec(ctx, tx, put.name, append([]any{pg.Tenant, scope}, put.args...)...); err != nil {
			return err
		}
	}
	return nil
}
