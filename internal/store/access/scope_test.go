package access

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
	"gpuledger/metrics"
)

// Members agree with the conditions for every owner in every cluster, for whole and partial owners, teams and clusters,
// and so does the shape of the scope.
func TestMembersAreWhatConditionsHoldFor(t *testing.T) {
	words := map[string][]string{
		"business_unit": {"", "b1", "b2"}, "team": {"", "t1", "t2", "t3"},
		"project": {"", "p1", "p2"}, "environment": {"", "prod"}, clusterKey: {"", "a", "b"},
	}
	rapid.Check(t, func(t *rapid.T) {
		var owners []owner
		for i := range rapid.IntRange(1, 12).Draw(t, "owners") {
			o := owner{id: ledger.NewID("owner", fmt.Sprint(i)), keys: map[string]string{}}
			for _, key := range ScopeKeys[:4] {
				o.keys[key] = rapid.SampledFrom(words[key]).Draw(t, key)
			}
			owners = append(owners, o)
		}
		clusters := words[clusterKey]
		var texts []string
		for range rapid.IntRange(0, 3).Draw(t, "conditions") {
			text := ""
			for range rapid.IntRange(1, 3).Draw(t, "terms") {
				key := rapid.SampledFrom(ScopeKeys).Draw(t, "key")
				if text != "" {
					text += rapid.SampledFrom([]string{" and ", " or "}).Draw(t, "joined")
				}
				text += fmt.Sprintf("%s %s '%s'", key, rapid.SampledFrom([]string{"=", "!="}).Draw(t, "op"),
					rapid.SampledFrom(words[key]).Draw(t, "value"))
			}
			texts = append(texts, text)
		}
		conditions, err := parseScope(texts)
		if err != nil {
			t.Fatal(err)
		}
		holds := func(o owner, cluster string) bool {
			return slices.ContainsFunc(conditions, func(e metrics.Expr) bool {
				return metrics.Matches(e, func(key string) (string, bool) {
					v := o.keys[key]
					if key == clusterKey {
						v = cluster
					}
					return v, v != ""
				})
			})
		}
		m := membersOf(conditions, owners, clusters)
		owns := func(id ledger.ID, cluster string) bool {
			return slices.ContainsFunc(m.owners, func(x member[ledger.ID]) bool {
				return x.what == id && (x.cluster == nil || *x.cluster == cluster)
			})
		}
		for _, cluster := range clusters {
			whole := true
			for _, o := range owners {
				want := holds(o, cluster)
				whole = whole && want
				if got := owns(o.id, cluster); got != want {
					t.Fatalf("%v: owner %v in %q is %v, want %v", texts, o.keys, cluster, got, want)
				}
			}
			if got := slices.Contains(m.clusters, cluster); got != whole {
				t.Fatalf("%v: cluster %q is %v, want %v", texts, cluster, got, whole)
			}
			for _, team := range words["team"] {
				all, some := true, false
				for _, o := range owners {
					if o.keys["team"] == team {
						some, all = true, all && holds(o, cluster)
					}
				}
				got := slices.ContainsFunc(m.teams, func(x member[string]) bool {
					return x.what == team && (x.cluster == nil || *x.cluster == cluster)
				})
				if got != (some && all) {
					t.Fatalf("%v: team %q in %q is %v, want %v", texts, team, cluster, got, some && all)
				}
			}
		}
		want := shape{wholeTeams: true, anywhere: len(m.clusters) == 0}
		of := map[string]bool{}
		for _, o := range owners {
			in := 0
			for _, cluster := range clusters {
				if !holds(o, cluster) {
					continue
				}
				in, of[o.keys["team"]] = in+1, true
				want.wholeTeams = want.wholeTeams && !slices.ContainsFunc(owners, func(other owner) bool {
					return other.keys["team"] == o.keys["team"] && !holds(other, cluster)
				})
			}
			want.anywhere = want.anywhere && (in == 0 || in == len(clusters))
		}
		if len(m.clusters) == 0 {
			want.teams = slices.AppendSeq([]string{}, maps.Keys(of))
			slices.Sort(want.teams)
		}
		if got := m.shape(owners); !cmp.Equal(got, want, cmp.AllowUnexported(shape{})) {
			t.Fatalf("%v: of the shape %+v, want %+v", texts, got, want)
		}
		if len(texts) == 0 && len(m.owners)+len(m.teams)+len(m.clusters) > 0 {
			t.Fatal("without a condition somebody is in scope")
		}
	})
}

func TestConditionsOfOtherThingsAreRefused(t *testing.T) {
	for _, text := range []string{
		"", "namespace = 'x'", "effective_cost > 1", "team = 'a' and tag:team = 'b'",
		"team =", "cause = 'used'", "team = 'a' or model = 'b'",
	} {
		if _, err := parseScope([]string{text}); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
