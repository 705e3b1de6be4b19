package waste

import (
	"cmp"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Labels that may distinguish models pick one; labels that only show that there are GPUs, or where, do not.
func TestPodsThatMayGetAnyModel(t *testing.T) {
	for keys, want := range map[string]bool{
		"":                                    true,
		"kubernetes_io_os kubernetes_io_arch": true,
		"beta_kubernetes_io_arch":             true,
		"nvidia_com_gpu_present":              true,
		"topology_kubernetes_io_zone karpenter_sh_capacity_type": true,
		"nvidia_com_gpu_product":                                 false,
		"cloud_google_com_gke_accelerator":                       false,
		"node_kubernetes_io_instance_type":                       false,
		"kubernetes_io_os karpenter_k8s_aws_instance_gpu_name":   false,
		"pool":                       false, // an unknown label: it may pick a model
		"kubernetes_io_hostname":     false,
		ledger.PicksByClaim:          false,
		"nvidia_com_gpu_present_not": false,
	} {
		if got := (&Picks{Keys: strings.Fields(keys)}).AnyModel(); got != want {
			t.Errorf("%q: %t", keys, got)
		}
	}
	if (*Picks)(nil).AnyModel() {
		t.Error("nobody tells, and it is known")
	}
}

// card is a machine with one card, which a pod holds for some minutes of a day.
type card struct {
	cluster, model string // empty cluster: it never joined one
	perHour        string // of a GPU-hour; empty: unknown
	picks          *Picks
	from, to       int64 // 0, 0: not held
	slice          int32
}

// found are the findings about pods that picked no model, by workload.
func found(cards []card) map[string]Finding {
	d := &Day{Day: monday, Holders: map[ledger.ID]*Holder{}}
	for i, c := range cards {
		name := string(rune('a' + i))
		id := ledger.NewID("workload", name)
		node := &NodeDay{
			Node: Node{
				ID: ledger.NewID("node", name), Cluster: cmp.Or(c.cluster, "c"), Name: name,
				Appeared: c.cluster != "", GPUs: 1, Replicas: 1, GPUModel: c.model,
			}, Day: monday,
		}
		hold := period.Interval{From: minute(c.from), To: minute(c.to)}
		d.Holders[id] = &Holder{
			ID: id, Cluster: c.cluster, Namespace: "ns", Name: name,
			Class: ledger.ClassRun, Kind: "Job", Root: name, Hold: hold, Picks: c.picks,
		}
		row := func(from, to period.Second, holder ledger.ID, cause ledger.Cause) {
			if from == to {
				return
			}
			part := big.NewRat(int64(to-from), 3600)
			r := Row{
				Hour: from.Floor(period.Hour), Slice: c.slice, Device: "GPU-" + name,
				Holder: holder, Cause: cause, Capacity: money.MustParse("1").MulRat(part),
			}
			if c.perHour != "" {
				r.Cost = Money{"USD": {money.MustParse(c.perHour).MulRat(part), ledger.Open}}
			}
			node.Rows = append(node.Rows, r)
			node.Spans = append(node.Spans, Span{Slice: c.slice, Holder: holder, Cause: cause, From: from, To: to})
		}
		byHour(monday, monday+period.Day, func(from, to period.Second) {
			in := hold.Intersect(period.Interval{From: from, To: to})
			if in.Empty() {
				row(from, to, ledger.ID{}, ledger.Free)
				return
			}
			row(from, in.From, ledger.ID{}, ledger.Free)
			row(in.From, in.To, id, ledger.Used)
			row(in.To, to, ledger.ID{}, ledger.Free)
		})
		d.Add(node)
	}
	d.Finish(nil)
	out := map[string]Finding{}
	for _, trace := range d.Traces() {
		for _, f := range Judge(trace.Key, []*Trace{trace}, monday+30*period.Day) {
			if f.Kind == NoProductSelector {
				out[f.Where.Workload] = f
			}
		}
	}
	return out
}

func TestPodsWithoutAModel(t *testing.T) {
	whole, any, own := ledger.WholeDevice, &Picks{All: true}, &Picks{Keys: []string{"nvidia_com_gpu_product"}, All: true}
	cheap := card{"c", "L4", "1", nil, 0, 0, whole}
	for name, c := range map[string]struct {
		cards []card
		want  string // extra cost of the first holder; empty: no finding
	}{
		"a dearer one": {[]card{{"c", "H100", "4", any, 60, 180, whole}, cheap}, "6"},
		"the cheapest": {[]card{{"c", "L4", "1", any, 60, 180, whole}, {"c", "H100", "4", nil, 0, 0, whole}}, ""},
		"between two": {
			[]card{{"c", "A100", "3", any, 60, 180, whole}, {"c", "H100", "4", nil, 0, 0, whole}, cheap}, "4",
		},
		"it asked for it": {[]card{{"c", "H100", "4", own, 60, 180, whole}, cheap}, ""},
		"nobody tells":    {[]card{{"c", "H100", "4", nil, 60, 180, whole}, cheap}, ""},
		"one model": {
			[]card{{"c", "H100", "4", any, 60, 180, whole}, {"c", "H100", "1", nil, 0, 0, whole}}, "",
		},
		"one that never joined":    {[]card{{"c", "H100", "4", any, 60, 180, whole}, {"", "L4", "1", nil, 0, 0, whole}}, ""},
		"another cluster's":        {[]card{{"c", "H100", "4", any, 60, 180, whole}, {"d", "L4", "1", nil, 0, 0, whole}}, ""},
		"less than an hour":        {[]card{{"c", "H100", "4", any, 61, 120, whole}, cheap}, ""},
		"an hour over two":         {[]card{{"c", "H100", "4", any, 90, 150, whole}, cheap}, "3"},
		"its price is unknown":     {[]card{{"c", "H100", "", any, 60, 180, whole}, cheap}, ""},
		"the other is unknown":     {[]card{{"c", "H100", "4", any, 60, 180, whole}, {"c", "L4", "", nil, 0, 0, whole}}, ""},
		"the other is free":        {[]card{{"c", "H100", "4", any, 60, 180, whole}, {"c", "L4", "0", nil, 0, 0, whole}}, ""},
		"a slice is asked by size": {[]card{{"c", "H100", "4", any, 60, 180, 1}, cheap}, ""},
		"two machines, one price": {
			[]card{{"c", "H100", "6", any, 60, 180, whole}, {"c", "H100", "2", nil, 0, 0, whole}, cheap}, "6",
		},
	} {
		f, ok := found(c.cards)["a"]
		if got := f.Share.Cost["USD"].Amount.String(); ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%s: found %t, costs %s; want %q", name, ok, got, c.want)
		}
		if ok && (f.From != minute(c.cards[0].from) || f.To != minute(c.cards[0].to) ||
			f.Met != (c.cards[0].to-c.cards[0].from)*60 || f.Quality != ledger.Measured) {
			t.Errorf("%s: from %s to %s, %s", name, f.From, f.To, f.Quality)
		}
		for _, e := range f.Evidence {
			if e.Threshold != nil && !e.Bound.Holds(e.Value, *e.Threshold) {
				t.Errorf("%s: %+v", name, e)
			}
		}
	}
	byName := found([]card{{"c", "H100", "4", &Picks{}, 60, 180, whole}, cheap})["a"]
	if byName.Quality != ledger.Estimated {
		t.Errorf("affinity is not told, and it is %s", byName.Quality)
	}
}

// With any prices: the cheapest model has no finding; for others the cost is that of the hours beyond the cheapest,
// which is less than their whole cost.
func TestCostBeyondTheCheapestModel(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var cards []card
		var rates []int64
		for _, model := range []string{"T4", "L4", "A100", "H100"}[:rapid.IntRange(1, 4).Draw(r, "models")] {
			rate := rapid.Int64Range(1, 5).Draw(r, model)
			rates = append(rates, rate)
			from := rapid.Int64Range(0, 1000).Draw(r, "from")
			cards = append(cards, card{
				"c", model, money.FromUnits(rate * 1_000_000_000_000).String(), &Picks{},
				from, from + rapid.Int64Range(60, 400).Draw(r, "minutes"), ledger.WholeDevice,
			})
		}
		least := rates[0]
		for _, rate := range rates {
			least = min(least, rate)
		}
		got := found(cards)
		for i, c := range cards {
			f, ok := got[string(rune('a'+i))]
			want := big.NewRat((c.to-c.from)*(rates[i]-least), 60)
			if ok != (want.Sign() > 0) {
				r.Fatalf("%+v found: %t, cheapest costs %d", c, ok, least)
			}
			off := new(big.Rat).Sub(f.Share.Cost["USD"].Amount.Rat(), want)
			if ok && off.Abs(off).Cmp(big.NewRat(1, 1_000_000_000)) > 0 {
				r.Fatalf("%+v costs %s beyond, want %s", c, f.Share.Cost["USD"].Amount, want.FloatString(6))
			}
		}
	})
}
