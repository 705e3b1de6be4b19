package posting

import (
	"strings"
	"testing"

	"gpuledger/allocation/part"
	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// From day 10 on the policy assigns owners to unlabelled usage, and limits what the namespace ml-vision may claim.
func rulesSince(t *testing.T, day period.Second) policy.Book {
	t.Helper()
	v := policy.Standard()
	v.Settings.Version, v.ValidFrom = "owners", day
	v.Owners = []policy.OwnerRule{
		{Namespace: "ml-*", Set: map[string]string{"team": "research"}},
		{Account: "1234", Set: map[string]string{"team": "platform"}},
		{InstanceType: "p5.*", Set: map[string]string{"team": "hpc", "cost_center": "4711"}},
	}
	v.Allowed = []policy.AllowedValues{{Namespace: "ml-vision", Dimension: "team", Values: []string{"vision"}}}
	book, err := policy.NewBook(v)
	if err != nil {
		t.Fatal(err)
	}
	return book
}

func TestThePolicyOwnsUnlabelledUsage(t *testing.T) {
	day := period.Second(10 * period.Day)
	found := newFindings()
	b := newOwnerBook([]ledger.ObjectFact{{Kind: "Namespace", Cluster: "c", Name: "ml-vision",
		Labels: map[string]string{"team": "ml"}}}, rulesSince(t, day), found)
	pod := func(namespace, team string, at period.Second) ledger.Owner {
		f := &ledger.WorkloadFact{Cluster: "c", Namespace: namespace, Name: "p", Scheduled: at}
		if team != "" {
			f.Labels = map[string]string{"team": team}
		}
		return b.pod(f, nil, &ledger.Node{Name: "n", InstanceType: "p5.48xlarge"})
	}
	for _, c := range []struct {
		namespace, label string
		at               period.Second
		team, center     string
	}{
		{"ml-text", "", day, "research", "4711"},
		{"ml-text", "", day - 1, "unowned", ""}, // its hold began before the version was in force
		{"ml-text", "search", day, "search", "4711"},
		{"web", "", day, "hpc", "4711"},
		{"ml-vision", "vision", day, "vision", "4711"},
		{"ml-vision", "search", day, "ml", "4711"}, // the namespace's own label
		{"ml-vision", "search", day - 1, "search", ""},
	} {
		if o := pod(c.namespace, c.label, c.at); o.Team != c.team || o.CostCenter != c.center {
			t.Errorf("%+v: %s, %s", c, o.Team, o.CostCenter)
		}
	}
	counts, examples := found.result()
	if counts["owner_conflict"] != 1 ||
		!strings.Contains(examples["owner_conflict"][0],
			`pod ml-vision/p: pod says "search" for team, which its namespace may not claim`) {
		t.Errorf("%v %v", counts, examples)
	}
	if o := b.node(&ledger.Node{Name: "n", Account: "1234", InstanceType: "p5.48xlarge"}, day); o.Team != "platform" ||
		o.CostCenter != "4711" {
		t.Errorf("of two rules the first that sets a dimension answers it: %+v", o)
	}
}

// A charge without a node gets its owner from its account, in the version of its period; its tags take precedence.
func TestThePolicyAnswersForCharges(t *testing.T) {
	day := period.Second(10 * period.Day)
	b := newOwnerBook(nil, rulesSince(t, day), newFindings())
	cutter := part.New(part.NewFleet(nil, func(string) bool { return false }), b.share)
	b.use(cutter)
	team := func(account string, at period.Second, tags map[string]string) string {
		ch := &ledger.Charge{ID: ledger.NewID(account, at.String()), Account: account, Tags: tags,
			Kind: ledger.LineCommitmentFee, Currency: "USD",
			Period: period.Interval{From: at, To: at + period.Hour}}
		cutter.Observe(ch)
		parts, err := cutter.Cut(ch)
		if err != nil || len(parts) == 0 {
			t.Fatal(parts, err)
		}
		return b.owners[parts[0].OwnerID].Team
	}
	none := map[string]string{} // one set of tags, with several accounts
	for _, c := range []struct {
		account string
		at      period.Second
		tags    map[string]string
		want    string
	}{
		{"1234", day, none, "platform"}, {"99", day, none, "unowned"}, {"1234", day - 3600, none, "unowned"},
		{"1234", day, map[string]string{"user_team": "web"}, "web"},
	} {
		if got := team(c.account, c.at, c.tags); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
