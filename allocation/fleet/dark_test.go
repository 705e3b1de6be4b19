package fleet

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// The dark parts of a life (rule 2.11). Times are days after t0, a midnight.
func TestDarkPartsOfALife(t *testing.T) {
	name := Name{"c", "n"}
	day := func(d float64) period.Second { return t0 + period.Second(d*period.Day) }
	span := func(from, to float64) period.Interval { return period.Interval{From: day(from), To: day(to)} }
	sampled := func(list ...period.Interval) Input {
		all := period.Interval{From: list[0].From, To: list[len(list)-1].To}
		return Input{Samples: map[Name]period.Interval{name: all}, Stretches: map[Name][]period.Interval{name: list}}
	}
	with := func(in Input, edit func(*Input)) Input { edit(&in); return in }
	apart := func() Input { return sampled(span(0.5, 0.75), span(5000.25, 5000.5)) }
	after := func(d float64) period.Second { return day(d) + 59 } // a scrape step after the last sample
	listed := func(from, to float64) ledger.SourceHour {
		return ledger.SourceHour{Cluster: "c", Source: ledger.SourceKubernetes, Hour: day(from), Minutes: 1<<60 - 1}
	}
	for _, c := range []struct {
		name string
		in   Input
		want []period.Interval
	}{
		{"one stretch", sampled(span(0.5, 3)), nil},
		{"seven whole days", sampled(span(0.5, 0.75), span(8.25, 9)), nil},
		{
			"eight whole days", sampled(span(0.5, 0.75), span(9.25, 9.5)), []period.Interval{{From: after(0.75), To: day(9.25)}},
		},
		{"nearly nine days of 24 hours, seven of them whole", sampled(span(0, 0.01), span(8.99, 9)), nil},
		{"decades", apart(), []period.Interval{{From: after(0.75), To: day(5000.25)}}},
		{"two nights, one short day between", sampled(span(0.5, 0.75), span(20.5, 20.6), span(40, 41)), []period.Interval{
			{From: after(0.75), To: day(20.5)}, {From: after(20.6), To: day(40)}}},
		{"a hold of a month between", with(sampled(span(0.5, 0.75), span(40, 41)), func(in *Input) {
			in.Holds = map[Name][]Hold{name: {{span(1, 35), false}}}
		}), nil},
		{"a hold of decades is believed for a year", with(apart(), func(in *Input) {
			in.Holds = map[Name][]Hold{name: {{span(1, 4999), false}}}
		}), []period.Interval{{From: after(0.75), To: day(4999 - 366)}}},
		{"a pod of decades is believed for a month", with(apart(), func(in *Input) {
			in.Holds = map[Name][]Hold{name: {{span(1, 4999), true}}}
		}), []period.Interval{{From: after(0.75), To: day(4999 - 31)}}},
		{"created long before anybody looked",
			Input{Facts: []ledger.NodeFact{{Cluster: "c", Name: "n", Created: day(-5000), FirstSeen: day(0), LastSeen: day(1)}}},
			[]period.Interval{{From: day(-5000), To: day(-31)}}},
		{
			"created a month before",
			Input{Facts: []ledger.NodeFact{{Cluster: "c", Name: "n", Created: day(-31), FirstSeen: day(0), LastSeen: day(1)}}},
			nil,
		},
		{"listed once, and once more",
			Input{Facts: []ledger.NodeFact{{Cluster: "c", Name: "n", FirstSeen: day(0), LastSeen: day(100)}}},
			[]period.Interval{{From: day(0) + 60, To: day(100)}}},
		{"its cluster was listed between",
			Input{Facts: []ledger.NodeFact{{Cluster: "c", Name: "n", FirstSeen: day(0), LastSeen: day(16)}},
				Sources: []ledger.SourceHour{listed(8, 9)}}, nil},
		{"its end is known by an event", with(sampled(span(0.5, 0.75)), func(in *Input) {
			in.Facts = []ledger.NodeFact{fact(func(f *ledger.NodeFact) { f.FirstSeen, f.LastSeen = day(0.5), day(0.75) })}
			in.Events = []ledger.InstanceEvent{{InstanceID: "i-1", Kind: ledger.EventState, Detail: "terminated", At: day(1000)}}
		}), []period.Interval{{From: day(0.75) + 60, To: day(1000 - 31)}}},
		{"jobs of accounting, and the window that covers them", Input{
			Held:    map[Name]Held{name: {Span: span(0, 20), GPUs: 1}},
			Holds:   map[Name][]Hold{name: {{span(0, 1), false}, {span(19, 20), false}}},
			Sources: []ledger.SourceHour{{Cluster: "c", Source: ledger.SourceSlurm, Hour: day(10), Minutes: 1}},
		}, []period.Interval{{From: day(1), To: day(10)}, {From: day(10) + 60, To: day(19)}}},
	} {
		machines := resolve(c.in)
		if len(machines) != 1 {
			t.Fatalf("%s: %d machines", c.name, len(machines))
		}
		if diff := cmp.Diff(c.want, machines[0].Dark); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// One machine under two names was there while either was observed.
func TestDarkOfOneMachineUnderTwoNames(t *testing.T) {
	one := ledger.NodeFact{Cluster: "c", Name: "a", ProviderID: "aws:///x/i-1", FirstSeen: t0, LastSeen: t0 + 60}
	other := one
	other.Name, other.FirstSeen, other.LastSeen = "b", t0+20*period.Day, t0+20*period.Day+60
	m := only(t, Input{Facts: []ledger.NodeFact{one, other}})
	if diff := cmp.Diff([]period.Interval{{From: t0 + 120, To: t0 + 20*period.Day}}, m.Dark); diff != "" {
		t.Error(diff)
	}
}
