package policy

import (
	"maps"
	"strings"
	"testing"

	"gpuledger/internal/period"
)

func TestTheFirstOwnerRuleAnswersEachDimension(t *testing.T) {
	v := Version{Owners: []OwnerRule{
		{Cluster: "prod-*", Namespace: "ml-*", Set: map[string]string{"team": "research"}},
		{Workload: "train-*", Set: map[string]string{"team": "late", "project": "atlas"}},
		{InstanceType: "p5.*", Account: "1234", Set: map[string]string{"team": "hpc"}},
		{Set: map[string]string{"cost_center": "rest"}},
	}}
	for _, c := range []struct {
		place Place
		want  map[string]string
	}{
		{
			Place{Cluster: "prod-eu", Namespace: "ml-x", Workload: "train-1"},
			map[string]string{"team": "research", "project": "atlas", "cost_center": "rest"},
		},
		{
			Place{Cluster: "dev", Namespace: "ml-x", Workload: "train-1"},
			map[string]string{"team": "late", "project": "atlas", "cost_center": "rest"},
		},
		{Place{InstanceType: "p5.48xlarge", Account: "1234"}, map[string]string{"team": "hpc", "cost_center": "rest"}},
		{Place{InstanceType: "p5.48xlarge", Account: "9"}, map[string]string{"cost_center": "rest"}},
		{Place{}, map[string]string{"cost_center": "rest"}},
	} {
		if got := v.Owner(c.place); !maps.Equal(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.place, got, c.want)
		}
	}
	if got := (Version{}).Owner(Place{Namespace: "x"}); got != nil {
		t.Errorf("no rule: %v", got)
	}
}

func TestClaimsThatANamespaceAllows(t *testing.T) {
	v := Version{Allowed: []AllowedValues{
		{"ml-*", "team", []string{"research"}}, {"ml-vision", "team", []string{"vision"}}, {"web", "team", nil},
	}}
	for _, c := range []struct {
		namespace, dimension, value string
		want                        bool
	}{
		{"ml-vision", "team", "vision", true}, {"ml-vision", "team", "research", true}, {"ml-text", "team", "vision", false},
		{"ml-text", "project", "anything", true}, {"web", "team", "web", false},
	} {
		if got := v.MayClaim(c.namespace)(c.dimension, c.value); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	if v.MayClaim("other") != nil {
		t.Error("a namespace that nothing is said of may claim anything")
	}
}

func TestOwnerRulesDigestFollowsTheirContent(t *testing.T) {
	book := func(from period.Second, team string) Book {
		v := Standard()
		v.ValidFrom = from
		if team != "" {
			v.Owners = []OwnerRule{{Set: map[string]string{"team": team}}}
		}
		b, err := NewBook(v)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	a := book(0, "a").OwnerRules()
	if a == "" || a != book(0, "a").OwnerRules() || a == book(0, "b").OwnerRules() ||
		a == book(period.Day, "a").OwnerRules() {
		t.Error("equal rules from the same day have one name, others have others")
	}
	if book(0, "").OwnerRules() != "" {
		t.Error("without rules there is no name")
	}
}

// Values are mapped once, within their own dimension, and allowed values are compared after mapping.
func TestValuesAreMapped(t *testing.T) {
	v, err := Parse([]byte(`{version: v1, values: [{key: team, from: [ML_Platform, mlp], to: ml-platform}, {key: environment, from: [Live], to: prod}], allowed: [{namespace: ml, dimension: team, values: [mlp]}, {namespace: ml, dimension: environment, values: [production]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][3]string{
		{"team", "ML_Platform", "ml-platform"}, {"team", "ml_platform", "ml_platform"},
		{"project", "mlp", "mlp"}, {"environment", "Live", "prod"},
	} {
		if got := v.Mapped(c[0], c[1]); got != c[2] {
			t.Errorf("%s %s means %s, want %s", c[0], c[1], got, c[2])
		}
	}
	may := v.MayClaim("ml")
	if !may("team", "ml-platform") || may("team", "mlp") || !may("environment", "prod") || may("environment", "dev") {
		t.Error("what may be claimed is not what is meant")
	}
	book, err := NewBook(v)
	if err != nil || book.OwnerRules() == "" {
		t.Errorf("mappings name no rules: %v", err)
	}
	for text, want := range map[string]string{
		"{key: planet, from: [a], to: b}":                                 "key",
		"{key: team, from: [], to: b}":                                    "from",
		"{key: team, from: [a], to: a}":                                   "itself",
		"{key: stage, from: [fine-tuning], to: fine_tuning}":              "itself",
		"{key: environment, from: [live], to: production}":                "always written as prod",
		"{key: team, from: [a, a], to: b}":                                "twice",
		"{key: team, from: [a], to: b}, {key: team, from: [b], to: c}":    "mapped only once",
		"{key: team, from: [a], to: b}, {key: team, from: [a, c], to: d}": "twice",
	} {
		if _, err := Parse([]byte("{version: v1, values: [" + text + "]}")); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
