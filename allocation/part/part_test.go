package part

import (
	"fmt"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

const t0 = period.Second(1793491200) // 2026-11-01 00:00 UTC

func hours(from, to int) period.Interval {
	return period.Interval{From: t0 + period.Second(from*3600), To: t0 + period.Second(to*3600)}
}

func usd(text string) *money.Amount {
	a := money.MustParse(text)
	return &a
}

// testFleet has GPU nodes i-1 (up from 00:30 to 03:00) and i-2 (up all day).
func testFleet() *Fleet {
	nodes := []ledger.Node{
		{
			ID: ledger.ID{1}, InstanceID: "i-1", Keys: []string{"i-1"}, InstanceType: "g5.xlarge",
			GPUs: 1, Life: period.Interval{From: t0 + 1800, To: t0 + 3*3600},
		},
		{
			ID: ledger.ID{2}, InstanceID: "i-2", Keys: []string{"i-2", "hyperpod/c/ml.p5.48xlarge"},
			InstanceType: "p5.48xlarge", GPUs: 8, Life: hours(0, 24), Cluster: "x",
		},
		{
			ID: ledger.ID{3}, InstanceID: "i-3", Keys: []string{"i-3"},
			InstanceType: "m5.large", Cluster: "cpu", GPUs: 0, Life: hours(0, 24),
		},
		// no line names it
		{
			ID: ledger.ID{4}, InstanceID: "i-4", Keys: []string{"i-4"}, InstanceType: "p5.48xlarge", GPUs: 8, Life: hours(0, 24),
		},
	}
	return NewFleet(nodes, func(key string) bool { return key != "i-4" })
}

func tagOwner(n *ledger.Node, tags map[string]string) ledger.ID {
	return ledger.NewID("owner", fmt.Sprint(n != nil), tags["team"])
}

var lineNumber byte

func line(kind ledger.LineKind, in period.Interval, billed string, edit ...func(*ledger.Charge)) *ledger.Charge {
	lineNumber++
	c := &ledger.Charge{
		ID: ledger.ID{lineNumber}, Kind: kind, Period: in, BillingPeriod: "2026-11",
		BillingAccount: "payer", Account: "acc", Currency: "USD",
		Costs: ledger.Costs{Billed: usd(billed), Effective: usd(billed), List: nil, Contracted: usd(billed)},
	}
	for _, e := range edit {
		e(c)
	}
	return c
}

// Edits of charges.
func resource(id string) func(*ledger.Charge) {
	return func(c *ledger.Charge) { c.ResourceID, c.InstanceID = id, ledger.AWSInstanceKey(id) }
}
func compute(usage string) func(*ledger.Charge) {
	return func(c *ledger.Charge) {
		c.InstanceHours, c.UsageAmount = true, usd(usage)
		seconds, ok := ledger.InstanceSeconds(*c.UsageAmount)
		if !ok {
			seconds = ledger.MaxInstanceSeconds + 1
		}
		c.InstanceSeconds = &seconds
	}
}
func gpuHours(n string) func(*ledger.Charge) {
	return func(c *ledger.Charge) { c.InstanceHours, c.UsageAmount, c.UsageUnit = true, usd(n), "GPU PER HOUR" }
}
func named(id, alias string) func(*ledger.Charge) {
	return func(c *ledger.Charge) { c.ResourceID, c.InstanceID, c.InstanceAlias = id, id, alias }
}
func untimed(c *ledger.Charge) { c.InstanceHours = true }
func inPlan(c *ledger.Charge)  { c.CommitmentID, c.UsageType = "plan", "BoxUsage:p5" }
func service(code string) func(*ledger.Charge) {
	return func(c *ledger.Charge) { c.ServiceCode = code }
}
func effective(text string) func(*ledger.Charge) {
	return func(c *ledger.Charge) { c.Effective = usd(text) }
}

func cutAll(t testing.TB, charges ...*ledger.Charge) map[ledger.ID][]ledger.Part {
	c := New(testFleet(), tagOwner)
	for _, ch := range charges {
		c.Observe(ch)
	}
	out := map[ledger.ID][]ledger.Part{}
	for _, ch := range charges {
		parts, err := c.Cut(ch)
		if err != nil {
			t.Fatal(err)
		}
		out[ch.ID] = parts
	}
	return out
}

// show prints parts one per line: kind node hour billed effective seconds method.
func show(parts []ledger.Part) string {
	var b strings.Builder
	for _, p := range parts {
		node, seconds := "-", ""
		if !p.NodeID.IsZero() {
			node = fmt.Sprint("i-", p.NodeID[0])
		}
		if p.UsageSeconds != nil {
			seconds = fmt.Sprintf(" %ds", *p.UsageSeconds)
		}
		fmt.Fprintf(&b, "%s %s %02d %s %s%s, %s\n", p.Kind, node, (p.Hour-t0)/3600, p.Billed, p.Effective, seconds, p.Method)
	}
	return b.String()
}

func TestEachKindOfLineHasItsTarget(t *testing.T) {
	for _, c := range []struct {
		name string
		line *ledger.Charge
		want string
	}{
		{
			"instance hour of a fleet node", line(ledger.LineUsage, hours(5, 6), "55.04", resource("i-2"), compute("1")),
			"compute i-2 05 55.04 55.04 3600s, resource id\n",
		},
		{
			"spot hour with a part of usage", line(ledger.LineUsage, hours(5, 6), "5", resource("i-2"), compute("0.2500000000")),
			"compute i-2 05 5 5 900s, resource id\n",
		},
		{
			"seconds are rounded half up", line(ledger.LineUsage, hours(5, 6), "5", resource("i-2"), compute("0.27361111111")),
			"compute i-2 05 5 5 985s, resource id\n",
		},
		{
			"resource as ARN", line(ledger.LineUsage, hours(5, 6), "1", resource("arn:aws:ec2:r:1:instance/i-2"), compute("1")),
			"compute i-2 05 1 1 3600s, resource id\n",
		},
		{
			"discount of a fleet node has no time",
			line(ledger.LineDiscount, hours(5, 6), "-3", resource("i-2"), compute("1")), "compute i-2 05 -3 -3, resource id\n",
		},
		{
			"no more time than its period", line(ledger.LineUsage, hours(5, 6), "8", resource("i-2"), compute("8")),
			"compute i-2 05 8 8 3600s, resource id\n",
		},
		{
			"GPU-hours of a machine that only the fleet knows",
			line(ledger.LineUsage, hours(5, 6), "8", resource("i-2"), gpuHours("4")), "compute i-2 05 8 8 1800s, resource id\n",
		},
		{
			"another name of it", line(ledger.LineUsage, hours(5, 6), "8", named("0b1c", "i-2"), compute("1")),
			"compute i-2 05 8 8 3600s, resource id\n",
		},
		{
			"a machine of a pool", line(ledger.LineUsage, hours(5, 6), "8", named("hyperpod/c/ml.p5.48xlarge", ""),
				compute("1")), "compute i-2 05 8 8 3600s, pooled\n",
		},
		{
			"a pool that nobody knows",
			line(ledger.LineUsage, hours(5, 6), "8", named("hyperpod/x/ml.p5.48xlarge", ""), compute("1"),
				func(c *ledger.Charge) { c.BillsGPU = true }), "metered - 05 8 8, managed service\n",
		},
		{
			"network of a fleet node", line(ledger.LineUsage, hours(5, 6), "2", resource("i-2")),
			"shared i-2 05 2 2, resource id\n",
		},
		{
			"control plane", line(ledger.LineUsage, hours(5, 6), "0.1", resource("arn:cluster/x"), service("AmazonEKS")),
			"shared - 05 0.1 0.1, resource id\n",
		},
		{
			"control plane of a cluster without GPUs",
			line(ledger.LineUsage, hours(5, 6), "0.1", resource("arn:cluster/cpu"), service("AmazonEKS")),
			"non_gpu - 05 0.1 0.1, outside the fleet\n",
		},
		{
			"control plane of nobody's name", line(ledger.LineUsage, hours(5, 6), "0.1", service("AmazonEKS")),
			"shared - 05 0.1 0.1, resource id\n",
		},
		{
			"pod on Fargate", line(ledger.LineUsage, hours(5, 6), "0.4", resource("arn:aws:eks:r:1:pod/x/web/web-7d9/2f1c"),
				service("AmazonEKS")), "non_gpu - 05 0.4 0.4, outside the fleet\n",
		},
		{
			"what managing a GPU machine costs",
			line(ledger.LineUsage, hours(5, 6), "0.12", resource("arn:aws:ec2:r:1:instance/i-2"), service("AmazonEKS"), untimed),
			"compute i-2 05 0.12 0.12, resource id\n",
		},
		{
			"what managing a machine without GPUs costs",
			line(ledger.LineUsage, hours(5, 6), "0.09", resource("arn:aws:ec2:r:1:instance/i-3"), service("AmazonEKS"), untimed),
			"non_gpu - 05 0.09 0.09, outside the fleet\n",
		},
		{
			"machine without GPUs", line(ledger.LineUsage, hours(5, 6), "0.1", resource("i-3"), compute("1")),
			"non_gpu - 05 0.1 0.1, outside the fleet\n",
		},
		{
			"machine that no compute line names yet",
			line(ledger.LineUsage, hours(5, 6), "2", resource("i-4")), "non_gpu - 05 2 2, outside the fleet\n",
		},
		{
			"everything else stays at its first hour",
			line(ledger.LineUsage, hours(5, 29), "2", resource("bucket")), "non_gpu - 05 2 2, outside the fleet\n",
		},
		{
			"no resource, GPU type of the catalogue, no such node",
			line(ledger.LineUsage, hours(3, 4), "2", compute("1"), func(c *ledger.Charge) { c.InstanceType = "g6.xlarge" }),
			"compute - 03 2 2, no node\n",
		},
		{
			"no resource, matching nodes",
			line(ledger.LineUsage, hours(0, 1), "2", compute("0.5"), func(c *ledger.Charge) { c.InstanceType = "g5.xlarge" }),
			"compute i-1 00 2 2 1800s, pooled\n",
		},
		{"no resource, two nodes",
			line(ledger.LineUsage, hours(5, 6), "3", compute("2"), func(c *ledger.Charge) { c.InstanceType = "p5.48xlarge" }),
			"compute i-2 05 1.5 1.5 3600s, pooled\ncompute i-4 05 1.5 1.5 3600s, pooled\n"},
		{
			"no resource, no node", line(ledger.LineUsage, hours(5, 6), "3", compute("2"),
				func(c *ledger.Charge) { c.InstanceType = "m5.large" }), "non_gpu - 05 3 3, outside the fleet\n",
		},
		{"a day over up-seconds", line(ledger.LineDiscount, hours(0, 24), "-1", resource("i-1"), compute("24")),
			"compute i-1 00 -0.2 -0.2, up-seconds\ncompute i-1 01 -0.4 -0.4, up-seconds\ncompute i-1 02 -0.4 -0.4, up-seconds\n"},
		{
			"no resource, over years",
			line(ledger.LineUsage, hours(5, 8765), "3", compute("2"), func(c *ledger.Charge) { c.InstanceType = "p5.48xlarge" }),
			"non_gpu - 05 3 3, outside the fleet\n",
		},
		{"never up in its period", line(ledger.LineUsage, hours(30, 33), "1", resource("i-1"), compute("3")),
			"compute i-1 30 0.333333333334 0.333333333334 3600s, even\ncompute i-1 31 0.333333333333 0.333333333333 3600s, " +
				"even\ncompute i-1 32 0.333333333333 0.333333333333 3600s, even\n"},
		{"fee: cash and unused", line(ledger.LineCommitmentFee, hours(5, 6), "31.2", effective("1.7")),
			"commitment_fee - 05 31.2 0, commitment\ncommitment_unused - 05 0 1.7, commitment\n"},
		{
			"fee that was used up", line(ledger.LineCommitmentFee, hours(5, 6), "31.2", effective("0")),
			"commitment_fee - 05 31.2 0, commitment\n",
		},
		{
			"fee over hours", line(ledger.LineCommitmentFee, hours(5, 7), "3", effective("0")),
			"commitment_fee - 05 1.5 0, commitment\ncommitment_fee - 06 1.5 0, commitment\n",
		},
		{
			"fee for a year stays where it starts", line(ledger.LineCommitmentFee, hours(5, 8765), "3", effective("0")),
			"commitment_fee - 05 3 0, commitment\n",
		},
	} {
		if got := show(cutAll(t, c.line)[c.line.ID]); got != c.want {
			t.Errorf("%s: got\n%swant\n%s", c.name, got, c.want)
		}
	}
}

func TestNegationFollowsTheCoveredLines(t *testing.T) {
	covered := func(in period.Interval, billed, id string) *ledger.Charge {
		return line(ledger.LineCoveredUsage, in, billed, resource(id), compute("1"), inPlan)
	}
	negation := func(billed string, edit ...func(*ledger.Charge)) *ledger.Charge {
		return line(ledger.LineNegation, hours(5, 6), billed,
			append([]func(*ledger.Charge){inPlan, effective("0")}, edit...)...)
	}
	other := func(c *ledger.Charge) { c.CommitmentID = "other" }
	a, b, c := covered(hours(5, 6), "30", "i-2"), covered(hours(5, 6), "10", "i-1"), covered(hours(5, 6), "20", "i-3")
	later := covered(hours(6, 7), "30", "i-2")
	for _, tc := range []struct {
		name  string
		lines []*ledger.Charge
		neg   *ledger.Charge
		want  string
	}{
		{"all of it", []*ledger.Charge{a, b, c, later}, negation("-60"),
			"compute i-2 05 -30 0, covered usage\ncompute i-1 05 -10 0, covered usage\nnon_gpu - 05 -20 0, covered usage\n"},
		{
			"less than covered", []*ledger.Charge{a, b}, negation("-20"),
			"compute i-2 05 -15 0, covered usage\ncompute i-1 05 -5 0, covered usage\n",
		},
		{
			"more than covered", []*ledger.Charge{a, b}, negation("-41.5"),
			"compute i-2 05 -30 0, covered usage\ncompute i-1 05 -10 0, covered usage\ncommitment_fee - 05 -1.5 0, covered " +
				"usage\n",
		},
		{"another plan", []*ledger.Charge{a, b}, negation("-40", other), "commitment_fee - 05 -40 0, covered usage\n"},
		{"nothing covered", nil, negation("-40"), "commitment_fee - 05 -40 0, covered usage\n"},
		{"nothing billed", []*ledger.Charge{a}, negation("0"), "compute i-2 05 0 0, covered usage\n"},
	} {
		if got := show(cutAll(t, append(tc.lines, tc.neg)...)[tc.neg.ID]); got != tc.want {
			t.Errorf("%s: got\n%swant\n%s", tc.name, got, tc.want)
		}
	}
	first, second := negation("-30"), negation("-30")
	parts := cutAll(t, second, a, b, first)
	if got, want := show(parts[first.ID]),
		"compute i-2 05 -22.5 0, covered usage\ncompute i-1 05 -7.5 0, covered usage\n"; got != want {
		t.Errorf("first of two: %s", got)
	}
	if got, want := show(parts[second.ID]),
		"compute i-2 05 -7.5 0, covered usage\ncompute i-1 05 -2.5 0, covered usage\ncommitment_fee - 05 -20 0, covered "+
			"usage\n"; got != want {
		t.Errorf("second of two takes what is left: %s", got)
	}
}

func TestTaxIsCutByTheAccountsOtherLines(t *testing.T) {
	tax := func(billed string) *ledger.Charge { return line(ledger.LineInvoice, hours(0, 2), billed) }
	gpu := line(ledger.LineUsage, hours(0, 1), "30", resource("i-2"), compute("1"))
	rest := line(ledger.LineUsage, hours(0, 1), "10", resource("bucket"))
	credit := line(ledger.LineDiscount, hours(0, 1), "-50", resource("i-2"), compute("1"))
	covered := line(ledger.LineCoveredUsage, hours(0, 1), "60", resource("i-2"), compute("1"), inPlan)
	negation := line(ledger.LineNegation, hours(0, 1), "-60", inPlan)
	elsewhere := line(ledger.LineUsage, hours(0, 1), "1000", resource("bucket"),
		func(c *ledger.Charge) { c.Account = "other" })
	for _, c := range []struct {
		name  string
		lines []*ledger.Charge
		want  string
	}{
		{
			"3 : 1", []*ledger.Charge{gpu, rest, elsewhere},
			"shared - 00 1.5 1.5, fleet base\nshared - 01 1.5 1.5, fleet base\nnon_gpu - 00 0.5 0.5, fleet base\nnon_gpu - " +
				"01 0.5 0.5, fleet base\n",
		},
		{
			"covered and negated counts nothing", []*ledger.Charge{gpu, rest, covered, negation},
			"shared - 00 1.5 1.5, fleet base\nshared - 01 1.5 1.5, fleet base\nnon_gpu - 00 0.5 0.5, fleet base\nnon_gpu - " +
				"01 0.5 0.5, fleet base\n",
		},
		{
			"a negative base counts as 0", []*ledger.Charge{gpu, rest, credit},
			"non_gpu - 00 2 2, fleet base\nnon_gpu - 01 2 2, fleet base\n",
		},
		{"no other line", nil, "non_gpu - 00 2 2, fleet base\nnon_gpu - 01 2 2, fleet base\n"},
	} {
		l := tax("4")
		if got := show(cutAll(t, append(c.lines, l)...)[l.ID]); got != c.want {
			t.Errorf("%s: got\n%swant\n%s", c.name, got, c.want)
		}
	}
}

func TestMeasuresThatTheBillDoesNotCarryStayNil(t *testing.T) {
	for _, kind := range []ledger.LineKind{
		ledger.LineUsage, ledger.LineInvoice, ledger.LineCommitmentFee, ledger.LineNegation,
	} {
		l := line(kind, hours(0, 3), "4", resource("i-1"), compute("1"))
		l.Billed, l.Effective = nil, nil
		for _, p := range cutAll(t, l)[l.ID] {
			if p.List != nil || p.Billed != nil || p.Effective != nil || p.Contracted == nil {
				t.Errorf("%s: %+v", kind, p)
			}
		}
	}
}

func TestUsageBeyondAllReasonIsRefused(t *testing.T) {
	c := New(testFleet(), tagOwner)
	l := line(ledger.LineUsage, hours(5, 6), "1", resource("i-2"), compute("999999999"))
	c.Observe(l)
	if _, err := c.Cut(l); err == nil || !strings.Contains(err.Error(), "instance time") {
		t.Errorf("%v", err)
	}
}

func TestDigestNamesWhatTheCutDependsOn(t *testing.T) {
	digest := func(charges ...*ledger.Charge) string {
		c := New(testFleet(), tagOwner)
		for _, ch := range charges {
			c.Observe(ch)
		}
		d, err := c.Digest(ledger.ID{}, "others")
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	hourly := digest(line(ledger.LineUsage, hours(5, 6), "1", resource("i-1"), compute("1")))
	daily := digest(line(ledger.LineUsage, hours(0, 24), "1", resource("i-1"), compute("24")))
	change := func(edit func(*ledger.Node)) *Fleet {
		f := testFleet()
		n := *f.byKey["i-1"].nodes[0]
		edit(&n)
		nodes := []ledger.Node{n}
		for _, o := range f.all {
			if o.InstanceID != "i-1" {
				nodes = append(nodes, *o)
			}
		}
		return NewFleet(nodes, func(key string) bool { return key != "i-4" })
	}
	for _, c := range []struct {
		name          string
		fleet         *Fleet
		hourly, daily bool // still current
	}{
		{"nothing", testFleet(), true, true},
		{"a life ends later", change(func(n *ledger.Node) { n.Life.To += 60 }), true, false},
		{
			"a life ends later, after the end that matters",
			change(func(n *ledger.Node) { n.Life = period.Interval{From: n.Life.From, To: t0 + 40*period.Day} }), true, false,
		},
		{"a node leaves the fleet", change(func(n *ledger.Node) { n.GPUs = 0 }), false, false},
		{"a node's labels", change(func(n *ledger.Node) { n.Labels = map[string]string{"team": "x"} }), false, false},
	} {
		if c.fleet.Current(hourly, "others") != c.hourly || c.fleet.Current(daily, "others") != c.daily {
			t.Errorf("%s: hourly %v, daily %v", c.name, c.fleet.Current(hourly, "others"), c.fleet.Current(daily, "others"))
		}
	}
	if testFleet().Current("", "") {
		t.Error("never cut is not current")
	}
}

// TestHostsOfQualifiedNames: a line names gpu-1 by its qualified name, or the
// other way round; the host of another domain is another machine.
func TestHostsOfQualifiedNames(t *testing.T) {
	node := func(id byte, name string, keys ...string) ledger.Node {
		return ledger.Node{ID: ledger.ID{id}, Name: name, Keys: keys, GPUs: 8, Life: hours(0, 24)}
	}
	nodes := []ledger.Node{
		node(1, "gpu-1", "gpu-1"), node(2, "GPU-2.fra", "gpu-2.fra", "gpu-2"), node(3, "gpu-2.lon", "gpu-2.lon", "gpu-2"),
	}
	pool := func(id byte, name, instanceType string) ledger.Node {
		n := node(id, name, name, "pool/h100")
		n.InstanceType = instanceType
		return n
	}
	nodes = append(nodes, pool(4, "p-1", "8xh100"), pool(5, "p-2", "8XH100"), pool(6, "p-3", "4xl40s"))
	f := NewFleet(nodes, func(string) bool { return true })
	if m := f.machinesOf(line(ledger.LineUsage, hours(0, 1), "1", named("np", "pool/h100"),
		func(c *ledger.Charge) { c.InstanceType = "8xh100" })); len(m.nodes) != 2 || !m.pool {
		t.Errorf("machines of the pool with the line's type: %+v", m)
	}
	for _, c := range []struct{ id, alias, want string }{
		{"r", "gpu-1.example.com", "[gpu-1]"}, {"gpu-1.example.com", "", "[gpu-1]"}, {"r", "gpu-2.lon", "[gpu-2.lon]"},
		{"r", "gpu-2", "[GPU-2.fra gpu-2.lon]"}, {"r", "gpu-2.par", "[]"}, {"r", "gpu-3.par", "[]"}, {"", "", "[]"},
	} {
		got := []string{}
		for _, n := range f.machinesOf(line(ledger.LineUsage, hours(0, 1), "1", named(c.id, c.alias))).nodes {
			got = append(got, n.Name)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%q %q: %v, want %s", c.id, c.alias, got, c.want)
		}
	}
}
