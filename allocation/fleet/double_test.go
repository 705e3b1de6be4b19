package fleet

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

const card = "GPU-0a1b2c3d-0000-4000-8000-00000000abcd"

// doubtful resolves telemetry and bill, with provisional cost for every machine that was seen.
func doubtful(in Input) Doubtful {
	d := Doubtful{Machines: resolve(in), Devices: map[ledger.ID][]ledger.Device{}, Billed: in.Billed, Step: 60,
		Provisional: map[ledger.ID]period.Interval{},
		Billers:     map[string][]string{"111": {"gcp"}, "222": {"aws"}, "333": {"nebius"}}}
	for i := range d.Machines {
		m := &d.Machines[i]
		d.Devices[m.ID] = in.Devices[Name{m.Cluster, m.Name}]
		if m.Seen != 0 {
			d.Provisional[m.ID] = period.Interval{
				From: m.Life.From.Floor(period.Hour), To: m.Life.To.Floor(period.Hour) + period.Hour,
			}
		}
	}
	return d
}

func said(found []Double) (out []string) {
	for _, d := range found {
		out = append(out, d.What+": "+d.NameA.Cluster+"/"+d.NameA.Node+" "+d.NameB.Cluster+"/"+d.NameB.Node)
	}
	return out
}

// seenAs is a machine as a cluster lists it.
func seenAs(cluster, name, providerID string, edit ...func(*ledger.NodeFact)) ledger.NodeFact {
	return fact(append([]func(*ledger.NodeFact){func(f *ledger.NodeFact) {
		f.Cluster, f.Name, f.ProviderID = cluster, name,
			providerID
	}}, edit...)...)
}

func later(f *ledger.NodeFact) { f.FirstSeen, f.LastSeen = f.FirstSeen+7200, f.LastSeen+7200 }

// next begins half a minute after the last sample of fact.
func next(f *ledger.NodeFact) { f.FirstSeen, f.LastSeen = f.LastSeen+30, f.LastSeen+3600 }

func TestOneMachineUnderTwoClusters(t *testing.T) {
	cards := func(ids ...string) map[Name][]ledger.Device { // for machine n of clusters a, b …
		out := map[Name][]ledger.Device{}
		for i, id := range ids {
			out[Name{string(rune('a' + i)), "n"}] = []ledger.Device{
				{UUID: id, Model: "NVIDIA H100 80GB HBM3", First: t0, Last: t0 + 7200},
			}
		}
		return out
	}
	pair := []string{"machine_clusters: a/n b/n"}
	for _, c := range []struct {
		name string
		in   Input
		want []string
	}{
		{
			"one instance", Input{Facts: []ledger.NodeFact{seenAs("a", "n", "aws:///z/i-1"), seenAs("b", "n", "aws:///z/i-1")}},
			pair,
		},
		{
			"one instance, two names of one cluster",
			Input{Facts: []ledger.NodeFact{seenAs("a", "n", "aws:///z/i-1"), seenAs("a", "m", "aws:///z/i-1")}}, nil,
		},
		{
			"one instance that moved",
			Input{Facts: []ledger.NodeFact{seenAs("a", "n", "aws:///z/i-1"), seenAs("b", "n", "aws:///z/i-1", later)}}, nil,
		},
		{
			"a cluster whose name changed",
			Input{Facts: []ledger.NodeFact{seenAs("a", "n", "aws:///z/i-1"), seenAs("b", "n", "aws:///z/i-1", next)}}, nil,
		},
		{
			"two instances of one name",
			Input{Facts: []ledger.NodeFact{seenAs("a", "n", "aws:///z/i-1"), seenAs("b", "n", "aws:///z/i-2")}}, nil,
		},
		{"two machines of one name", Input{Facts: []ledger.NodeFact{seenAs("a", "n", ""), seenAs("b", "n", "")}}, nil},
		{
			"Google's name and number",
			Input{Facts: []ledger.NodeFact{seenAs("a", "n", "gce://p/z/n/77"), seenAs("b", "n", "gce://p/z/n")}}, pair,
		},
		{
			"Google's name, used again",
			Input{Facts: []ledger.NodeFact{seenAs("a", "n", "gce://p/z/n/77"), seenAs("b", "n", "gce://p/z/n/78")}}, nil,
		},
		{"a scale set", Input{Facts: []ledger.NodeFact{
			seenAs("a", "n", "azure:///subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachineScaleSets/x/virtualMachines/0"),
			seenAs("b", "n", "azure:///subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachineScaleSets/x/virtualMachines/1")}}, nil},
		{
			"one card", Input{Facts: []ledger.NodeFact{seenAs("a", "n", ""), seenAs("b", "n", "")}, Devices: cards(card, card)},
			pair,
		},
		{
			"one card, one after the other",
			Input{Facts: []ledger.NodeFact{seenAs("a", "n", ""), seenAs("b", "n", "", later)}, Devices: cards(card, card)}, nil,
		},
		{
			"one card, when the name of its cluster changed",
			Input{Facts: []ledger.NodeFact{seenAs("a", "n", ""), seenAs("b", "n", "", next)}, Devices: cards(card, card)}, nil,
		},
		{
			"two cards", Input{
				Facts:   []ledger.NodeFact{seenAs("a", "n", ""), seenAs("b", "n", "")},
				Devices: cards(card, "GPU-0a1b2c3d-0000-4000-8000-00000000abce"),
			}, nil,
		},
		{
			"ids that are no UUIDs",
			Input{Facts: []ledger.NodeFact{seenAs("a", "n", ""), seenAs("b", "n", "")}, Devices: cards("GPU-0", "GPU-0")}, nil,
		},
	} {
		if got := said(Doubles(doubtful(c.in))); !cmp.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		slices.Reverse(c.in.Facts)
		if got := said(Doubles(doubtful(c.in))); !cmp.Equal(got, c.want) {
			t.Errorf("%s, in another order: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestBillAndTelemetryThatNeverMet(t *testing.T) {
	typ := func(name string) func(*ledger.NodeFact) {
		return func(f *ledger.NodeFact) { f.Labels = labels{"node_kubernetes_io_instance_type": name} }
	}
	bills := func(key, account, instanceType string, from, to period.Second) Billed {
		return Billed{
			InstanceID: key, Line: ledger.NewID("line", key), InstanceType: instanceType,
			Account: account, Period: period.Interval{From: t0 + from, To: t0 + to},
		}
	}
	google := seenAs("c", "n", "gce://p/z/n", typ("a3-highgpu-8g"))
	pair := []string{"machine_bill: /gce/77 c/n"}
	for _, c := range []struct {
		name string
		in   Input
		want []string
	}{
		{
			"a number that no cluster tells",
			Input{Facts: []ledger.NodeFact{google}, Billed: []Billed{bills("gce/77", "111", "a3-highgpu-8g", 0, 3600)}}, pair,
		},
		{
			"another type", Input{
				Facts: []ledger.NodeFact{google}, Billed: []Billed{bills("gce/77", "111", "a2-highgpu-8g", 0, 3600)},
			}, nil,
		},
		{
			"another time", Input{
				Facts: []ledger.NodeFact{google}, Billed: []Billed{bills("gce/77", "111", "a3-highgpu-8g", 7200, 10800)},
			}, nil,
		},
		{
			"another cloud", Input{
				Facts: []ledger.NodeFact{google}, Billed: []Billed{bills("i-1", "222", "p5.48xlarge", 0, 3600)},
			}, nil,
		},
		{
			"two numbers", Input{
				Facts:  []ledger.NodeFact{seenAs("c", "n", "gce://p/z/n/76", typ("a3-highgpu-8g"))},
				Billed: []Billed{bills("gce/77", "111", "a3-highgpu-8g", 0, 3600)},
			}, nil,
		},
		{
			"two instances", Input{
				Facts:  []ledger.NodeFact{seenAs("c", "n", "aws:///z/i-2")},
				Billed: []Billed{bills("i-1", "222", "p5.48xlarge", 0, 3600)},
			}, nil,
		},
		{
			"no provider id", Input{
				Facts: []ledger.NodeFact{seenAs("c", "n", "")}, Billed: []Billed{bills("i-1", "222", "p5.48xlarge", 0, 3600)},
			}, []string{"machine_bill: /i-1 c/n"},
		},
		{"a bill of its own", Input{Facts: []ledger.NodeFact{seenAs("c", "n", "")},
			Billed: []Billed{bills("i-1", "222", "p5.48xlarge", 0, 3600), bills("node/c/n", "333", "p5.48xlarge", 0, 3600)}},
			nil},
		{"two of telemetry, one of the bill",
			Input{Facts: []ledger.NodeFact{google,
				seenAs("c", "m", "gce://p/z/m", typ("a3-highgpu-8g"), func(f *ledger.NodeFact) { f.LastSeen -= 1800 })},
				Billed: []Billed{bills("gce/77", "111", "a3-highgpu-8g", 60, 3600)}}, pair},
	} {
		if got := said(Doubles(doubtful(c.in))); !cmp.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		d := doubtful(c.in)
		if d.Provisional = nil; len(Doubles(d)) != 0 {
			t.Errorf("%s: without provisional cost %q", c.name, said(Doubles(d)))
		}
	}
}
