package waste

import (
	"math/big"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// guest holds a slot for some minutes of a day.
type guest struct {
	class    ledger.WorkloadClass
	slot     int32
	slice    int32
	from, to int64
}

// sharedDay is the day of a machine whose cards cost 3.60 USD an hour of each
// holder.
func sharedDay(day period.Second, guests []guest) []*Trace {
	d := &Day{Day: day, Holders: map[ledger.ID]*Holder{}}
	n := &NodeDay{
		Node: Node{ID: ledger.NewID("node", "n"), Cluster: "c", Name: "n", Appeared: true, GPUs: 2, Replicas: 4}, Day: day,
	}
	for i, g := range guests {
		id := ledger.NewID("workload", "c", string(rune('a'+i)))
		hold := period.Interval{From: day + period.Second(g.from*60), To: day + period.Second(g.to*60)}
		d.Holders[id] = &Holder{
			ID: id, Cluster: "c", Namespace: "ns", Name: string(rune('a' + i)),
			Class: g.class, Kind: "Job", Root: "root", Hold: hold,
		}
		n.Spans = append(n.Spans, Span{
			Slot: g.slot, Slice: g.slice, Holder: id, Cause: ledger.Used, From: hold.From, To: hold.To,
		})
		byHour(hold.From, hold.To, func(from, to period.Second) {
			n.Rows = append(n.Rows, Row{Hour: from.Floor(period.Hour), Slot: g.slot, Slice: g.slice,
				Device: []string{"GPU-0", "GPU-1"}[g.slot], Holder: id, Cause: ledger.Used, Active: 60,
				Capacity: money.MustParse("0.25"),
				Cost:     Money{"USD": {money.MustParse("3.6").MulRat(big.NewRat(int64(to-from), 3600)), ledger.Open}}})
		})
	}
	d.Add(n)
	return d.Traces()
}

// Jobs and services on one card are found from an hour in a UTC day on, each card separately, with the cost of all its
// holders on these days.
func TestJobsAndServicesOnOneCard(t *testing.T) {
	const run, service, person = ledger.ClassRun, ledger.ClassService, ledger.ClassInteractive
	whole := ledger.WholeDevice
	for name, c := range map[string]struct {
		days [][]guest
		want map[string]string // cost by card
	}{
		"an hour together": {
			[][]guest{{{service, 0, whole, 0, 600}, {run, 0, whole, 540, 660}}}, map[string]string{"GPU-0": "43.2"},
		},
		"less than an hour": {[][]guest{{{service, 0, whole, 0, 600}, {run, 0, whole, 541, 660}}}, nil},
		"an hour in two pieces": {
			[][]guest{{{service, 0, whole, 0, 600}, {run, 0, whole, 0, 30}, {run, 0, whole, 570, 600}}},
			map[string]string{"GPU-0": "39.6"},
		},
		"two services":          {[][]guest{{{service, 0, whole, 0, 600}, {service, 0, whole, 0, 600}}}, nil},
		"a notebook is no side": {[][]guest{{{service, 0, whole, 0, 600}, {person, 0, whole, 0, 600}}}, nil},
		"and pays for its part": {
			[][]guest{{{service, 0, whole, 0, 60}, {run, 0, whole, 0, 60}, {person, 0, whole, 600, 660}}},
			map[string]string{"GPU-0": "10.8"},
		},
		"on two cards":        {[][]guest{{{service, 0, whole, 0, 600}, {run, 1, whole, 0, 600}}}, nil},
		"in instances of one": {[][]guest{{{service, 0, 1, 0, 600}, {run, 0, 2, 0, 600}}}, nil},
		"every card for itself": {
			[][]guest{
				{{service, 0, whole, 0, 60}, {run, 0, whole, 0, 60}, {service, 1, whole, 0, 120}, {run, 1, whole, 0, 120}},
			}, map[string]string{"GPU-0": "7.2", "GPU-1": "14.4"},
		},
		"two days in a row": {
			[][]guest{
				{{service, 0, whole, 0, 60}, {run, 0, whole, 0, 60}}, {{service, 0, whole, 600, 660}, {run, 0, whole, 600, 660}},
			}, map[string]string{"GPU-0": "14.4"},
		},
		"two half hours by days": {
			[][]guest{
				{{service, 0, whole, 1410, 1440}, {run, 0, whole, 1410, 1440}},
				{{service, 0, whole, 0, 30}, {run, 0, whole, 0, 30}},
			}, nil,
		},
	} {
		traces := map[Key][]*Trace{}
		for i, guests := range c.days {
			for _, trace := range sharedDay(monday+period.Second(i)*period.Day, guests) {
				traces[trace.Key] = append(traces[trace.Key], trace)
			}
		}
		got := map[string]string{}
		for key, list := range traces {
			for _, f := range Judge(key, list, monday+30*period.Day) {
				if f.Kind == MixedOnSharedCard {
					got[f.Where.Device] += f.Share.Cost["USD"].Amount.String()
				}
			}
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		for card, cost := range c.want {
			if got[card] != cost {
				t.Errorf("%s: %s costs %q, want %q", name, card, got[card], cost)
			}
		}
	}
}
