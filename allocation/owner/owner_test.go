package owner

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
)

type labels = map[string]string

func TestEveryDimensionIsAskedOnItsOwn(t *testing.T) {
	for _, c := range []struct {
		name string
		in   Labels
		want labels
	}{
		{"nobody answers", Labels{}, labels{"team": "unowned"}},
		{"pod before root before namespace", Labels{
			Pod: labels{"team": "pod"}, Root: labels{"team": "root", "project": "root"},
			Namespace: labels{"team": "ns", "project": "ns", "env": "ns"},
		}, labels{"team": "pod", "project": "root", "environment": "ns"}},
		{"node before billing tag",
			Labels{Node: labels{"team": "node"}, Tags: labels{"user_team": "tag", "user_cost_center": "cc1"}},
			labels{"team": "node", "cost_center": "cc1"}},
		{"team before owner-team before owner", Labels{Pod: labels{"owner": "c", "owner-team": "b"}}, labels{"team": "b"}},
		{"spellings", Labels{Pod: labels{"label_business_unit": "a", "Cost.Center": "b", "gpuledger.io/experiment-id": "c",
			"user:user": "d"}},
			labels{"team": "unowned", "business_unit": "a", "cost_center": "b", "experiment": "c", "user": "d"}},
		{
			"an empty value does not answer",
			Labels{Pod: labels{"team": "  "}, Namespace: labels{"team": "ns"}}, labels{"team": "ns"},
		},
		{
			"kueue", Labels{Pod: labels{"kueue.x-k8s.io/queue-name": "q", "queue": "r"}},
			labels{"team": "unowned", "queue": "q"},
		},
		{"other keys", Labels{Pod: labels{"app": "x", "teamwork": "y"}}, labels{"team": "unowned"}},
	} {
		got, conflicts := Resolve(c.in)
		if diff := cmp.Diff(c.want, labels(got.Labels)); diff != "" || len(conflicts) > 0 {
			t.Errorf("%s: %s %v", c.name, diff, conflicts)
		}
	}
}

func TestTwoSpellingsThatDisagreeAreAConflict(t *testing.T) {
	got, conflicts := Resolve(Labels{Namespace: labels{"team_conflict1": "a", "team_conflict2": "b"}})
	want := []Conflict{{"team", "namespace", []string{"a", "b"}, false}}
	if got.Team != "a" || cmp.Diff(want, conflicts) != "" {
		t.Errorf("%q %v", got.Team, conflicts)
	}
	if _, conflicts := Resolve(Labels{Pod: labels{"team": "a", "Team": "a"}}); len(conflicts) != 0 {
		t.Errorf("equal values are no conflict: %v", conflicts)
	}
}

// The policy fills in dimensions that labels and tags leave open; it does not change the others.
func TestARuleAnswersLast(t *testing.T) {
	rule := labels{"team": "research", "project": "rule", "cost_center": "4711"}
	got, _ := Resolve(Labels{Pod: labels{"project": "pod"}, Tags: labels{"user_cost_center": "tag"}, Rule: rule})
	if diff := cmp.Diff(labels{"team": "research", "project": "pod", "cost_center": "tag"},
		labels(got.Labels)); diff != "" {
		t.Error(diff)
	}
	if got, _ = Resolve(Labels{Rule: labels{"project": "p"}}); got.Team != Unowned || got.Project != "p" {
		t.Errorf("%+v", got)
	}
}

// A pod claims another team: the namespace's label counts or, if it has none, the layers after it. Node and tags claim
// nothing.
func TestAClaimThatTheNamespaceDoesNotAllow(t *testing.T) {
	may := func(dimension, value string) bool { return dimension != "team" || value == "vision" }
	for _, c := range []struct {
		name string
		in   Labels
		team string
		want []Conflict
	}{
		{"allowed", Labels{Pod: labels{"team": "vision"}, Namespace: labels{"team": "ml"}}, "vision", nil},
		{
			"not allowed", Labels{Pod: labels{"team": "web"}, Namespace: labels{"team": "ml"}},
			"ml", []Conflict{{"team", "pod", []string{"web"}, true}},
		},
		{
			"not allowed to the root owner either", Labels{Root: labels{"team": "web"}, Namespace: labels{"team": "ml"}},
			"ml", []Conflict{{"team", "root owner", []string{"web"}, true}},
		},
		{
			"the root owner does not help the pod",
			Labels{Pod: labels{"team": "web"}, Root: labels{"team": "vision"}, Namespace: labels{"team": "ml"}},
			"ml", []Conflict{{"team", "pod", []string{"web"}, true}},
		},
		{
			"the namespace is silent", Labels{Pod: labels{"team": "web"}, Node: labels{"team": "platform"}},
			"platform", []Conflict{{"team", "pod", []string{"web"}, true}},
		},
		{
			"nobody else answers", Labels{Pod: labels{"team": "web"}},
			Unowned, []Conflict{{"team", "pod", []string{"web"}, true}},
		},
		{"other dimensions are free", Labels{Pod: labels{"team": "vision", "project": "anything"}}, "vision", nil},
	} {
		c.in.May = may
		got, conflicts := Resolve(c.in)
		if got.Team != c.team || cmp.Diff(c.want, conflicts) != "" {
			t.Errorf("%s: %q %v", c.name, got.Team, conflicts)
		}
	}
}

func TestOwnersAreEqualExactlyWhenTheirDimensionsAre(t *testing.T) {
	value := rapid.SampledFrom([]string{"", "a", "b"})
	layer := rapid.Custom(func(t *rapid.T) labels {
		return labels{"team": value.Draw(t, "team"), "project": value.Draw(t, "project"), "model": value.Draw(t, "model")}
	})
	rapid.Check(t, func(t *rapid.T) {
		a, _ := Resolve(Labels{Pod: layer.Draw(t, "pod"), Tags: layer.Draw(t, "tags")})
		b, _ := Resolve(Labels{Root: layer.Draw(t, "root"), Node: layer.Draw(t, "node")})
		same := a.Team == b.Team && a.Project == b.Project && a.Model == b.Model
		if same != (a.ID == b.ID) || same != (cmp.Diff(a, b) == "") {
			t.Fatalf("%+v and %+v", a, b)
		}
		if a.Team == "" || a.ID == (ledger.ID{}) {
			t.Fatal("an owner always has a team and an id")
		}
	})
}

// Stage and environment have one spelling in every layer; names of teams have the one that the policy maps to.
func TestValuesHaveOneSpelling(t *testing.T) {
	mapped := func(dimension, value string) string {
		if dimension == "team" && value == "ML_Platform" {
			return "ml-platform"
		}
		return value
	}
	got, conflicts := Resolve(Labels{Pod: labels{"stage": "FineTuning", "gpuledger.io/stage": "fine-tuning",
		"team": "ML_Platform", "Team": "ml-platform"}, Tags: labels{"user_env": "production"},
		Rule: labels{"project": "Fine-Tuning"}, Mapped: mapped,
		May: func(dimension, value string) bool { return dimension != "team" || value == "ml-platform" }})
	if diff := cmp.Diff(labels{"team": "ml-platform", "stage": "fine_tuning", "environment": "prod",
		"project": "Fine-Tuning"}, labels(got.Labels)); diff != "" || len(conflicts) != 0 {
		t.Error(diff, conflicts)
	}
	if got, _ = Resolve(Labels{Rule: labels{"environment": "Development"}}); got.Environment != "dev" {
		t.Errorf("%+v", got)
	}
}
