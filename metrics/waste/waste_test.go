package waste

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

const monday = period.Second(1_793_577_600) // 2026-11-02

// story is the life of one pod on one card of one machine, in minutes from the start of a day.
type story struct {
	class ledger.WorkloadClass
	spans []told
	most  int64 // bytes of memory
	crash []period.Interval
}

type told struct {
	cause ledger.Cause
	from  int64
	to    int64
	works bool
}

// judge processes the story day by day and returns the findings.
func (s story) judge(t testing.TB) []Finding {
	t.Helper()
	id := ledger.NewID("workload", "c", "u")
	end := period.Second(0)
	for _, v := range s.spans {
		end = max(end, monday+period.Second(v.to*60))
	}
	h := &Holder{
		ID: id, Cluster: "c", Namespace: "ns", Name: "pod", Class: s.class, Kind: "Job", Root: "job",
		Hold: period.Interval{From: monday + period.Second(s.spans[0].from*60), To: end},
	}
	if s.class == ledger.ClassInteractive {
		h.Kind = "Notebook"
	}
	var traces []*Trace
	for day := monday; day < end; day += period.Day {
		d := &Day{Day: day, Holders: map[ledger.ID]*Holder{id: h}}
		d.Add(s.day(id, day))
		for _, trace := range d.Traces() {
			if trace.Key.Scope == OfHolder || trace.Key.Scope == OfService {
				traces = append(traces, trace)
			}
		}
	}
	if len(traces) == 0 {
		return nil
	}
	return Judge(traces[0].Key, traces, end)
}

// day is the machine's day: a GPU-hour costs 3.60 USD.
func (s story) day(id ledger.ID, day period.Second) *NodeDay {
	n := &NodeDay{
		Node: Node{ID: ledger.NewID("node", "n"), Cluster: "c", Name: "n", Appeared: true, GPUs: 1, Replicas: 1}, Day: day,
	}
	type key struct {
		hour  period.Second
		cause ledger.Cause
	}
	rows := map[key]int{}
	for _, v := range s.spans {
		in := period.Interval{
			From: monday + period.Second(v.from*60), To: monday + period.Second(v.to*60),
		}.Intersect(period.DayOf(day))
		if in.Empty() {
			continue
		}
		holder := id
		if v.cause == ledger.Free {
			holder = ledger.ID{}
		}
		n.Spans = append(n.Spans, Span{Slice: ledger.WholeDevice, Holder: holder, Cause: v.cause, From: in.From, To: in.To})
		byHour(in.From, in.To, func(from, to period.Second) {
			k := key{from.Floor(period.Hour), v.cause}
			at, ok := rows[k]
			if !ok {
				at = len(n.Rows)
				rows[k] = at
				n.Rows = append(n.Rows, Row{
					Hour: k.hour, Slice: ledger.WholeDevice, Device: "GPU-1", Holder: holder,
					Cause: v.cause, Quality: ledger.Measured, Cost: Money{"USD": {State: ledger.Open}},
				})
				n.Hours = append(n.Hours, Hour{Hour: k.hour, Device: "GPU-1", Slice: ledger.WholeDevice,
					Signals: map[ledger.Signal]Figure{
						ledger.SignalMemoryUsed: {Minutes: 60, Total: 60 * s.most, High: s.most, P95: s.most},
					}})
			}
			r := &n.Rows[at]
			seconds := int64(to - from)
			r.Capacity = r.Capacity.Add(money.FromUnits(seconds * 1_000_000_000_000 / 3600))
			c := r.Cost["USD"]
			r.Cost["USD"] = Cost{c.Amount.Add(money.FromUnits(seconds * 1_000_000_000)), c.State}
			if v.works {
				r.Active += seconds
			}
		})
	}
	for _, c := range s.crash {
		for at := c.From; at < c.To; at += 60 {
			if at.Floor(period.Day) == day {
				n.Crash = append(n.Crash, Crash{id, at.Floor(period.Hour), 1 << ((at % 3600) / 60)})
			}
		}
	}
	return n
}

func minute(m int64) period.Second { return monday + period.Second(m*60) }

func TestKindsOfHolders(t *testing.T) {
	const h = 60
	type want struct {
		kind     Kind
		from, to int64
		cost     string
	}
	run, notebook, service := ledger.ClassRun, ledger.ClassInteractive, ledger.ClassService
	idle, start, used, gone := ledger.HeldIdle, ledger.Overhead, ledger.Used, ledger.Unobserved
	for name, c := range map[string]struct {
		story
		want []want
	}{
		"started at once": {
			story{class: run, most: 8 << 30, spans: []told{{start, 0, 20, false}, {used, 20, 5 * h, true}}}, nil,
		},
		"30 min before work": {
			story{class: run, most: 8 << 30, spans: []told{{start, 0, 30, false}, {used, 30, 5 * h, true}}}, nil,
		},
		"31 min before work": {
			story{
				class: run, most: 8 << 30, spans: []told{{start, 0, 30, false}, {idle, 30, 31, false}, {used, 31, 5 * h, true}},
			}, []want{{Preprovisioned, 0, 31, "1.86"}},
		},
		"never worked": {
			story{class: run, most: 8 << 30, spans: []told{{start, 0, 30, false}, {idle, 30, 2 * h, false}}},
			[]want{{Preprovisioned, 0, 2 * h, "7.2"}},
		},
		"nothing loaded": {
			story{class: run, most: 1 << 30, spans: []told{{start, 0, 30, false}, {idle, 30, 4 * h, false}}},
			[]want{{Hoarding, 0, 4 * h, "14.4"}},
		},
		"nothing loaded, brief": {
			story{class: run, most: 1 << 30, spans: []told{{start, 0, 30, false}, {idle, 30, 4*h - 1, false}}},
			[]want{{Preprovisioned, 0, 4*h - 1, "14.34"}},
		},
		"a byte too many": {
			story{class: run, most: 1<<30 + 1, spans: []told{{start, 0, 30, false}, {idle, 30, 4 * h, false}}},
			[]want{{Preprovisioned, 0, 4 * h, "14.4"}},
		},
		"idle at the end": {
			story{class: run, most: 8 << 30, spans: []told{{used, 0, 3 * h, true}, {idle, 3 * h, 4 * h, false}}},
			[]want{{CrashedJob, 3 * h, 4 * h, "3.6"}},
		},
		"59 min at the end": {
			story{class: run, most: 8 << 30, spans: []told{{used, 0, 3 * h, true}, {idle, 3 * h, 4*h - 1, false}}},
			[]want{{HeldNotUsed, 3 * h, 4*h - 1, "3.54"}},
		},
		"idle in between": {
			story{
				class: run, most: 8 << 30, spans: []told{{used, 0, h, true}, {idle, h, 3 * h, false}, {used, 3 * h, 4 * h, true}},
			}, []want{{HeldNotUsed, h, 3 * h, "7.2"}},
		},
		"29 min in between": {
			story{
				class: run, most: 8 << 30, spans: []told{{used, 0, h, true}, {idle, h, h + 29, false}, {used, h + 29, 4 * h, true}},
			}, nil,
		},
		"over midnight": {story{class: service, most: 8 << 30,
			spans: []told{{used, 20 * h, 23 * h, true}, {idle, 23 * h, 25 * h, false}, {used, 25 * h, 26 * h, true}}},
			[]want{{HeldNotUsed, 23 * h, 25 * h, "7.2"}}},
		"notebook over midnight": {story{class: notebook, most: 8 << 30,
			spans: []told{{used, 20 * h, 23 * h, true}, {idle, 23 * h, 25 * h, false}}},
			[]want{{ForgottenNotebook, 23 * h, 25 * h, "7.2"}}},
		"a gap of 4 min is bridged": {story{class: notebook, most: 8 << 30,
			spans: []told{
				{used, 0, h, true}, {idle, h, 2 * h, false}, {gone, 2 * h, 2*h + 4, false}, {idle, 2*h + 4, 3 * h, false},
			}},
			[]want{{HeldNotUsed, h, 3 * h, "6.96"}}},
		"a gap is not idle time": {story{class: notebook, most: 8 << 30,
			spans: []told{
				{used, 0, h, true}, {idle, h, 2 * h, false}, {gone, 2 * h, 2*h + 4, false}, {idle, 2*h + 4, 3*h + 4, false},
			}},
			[]want{{ForgottenNotebook, h, 3*h + 4, "7.2"}}},
		"a gap of 5 min is not": {story{class: notebook, most: 8 << 30,
			spans: []told{
				{used, 0, h, true}, {idle, h, 2 * h, false}, {gone, 2 * h, 2*h + 5, false}, {idle, 2*h + 5, 3 * h, false},
			}},
			[]want{{HeldNotUsed, h, 2 * h, "3.6"}, {HeldNotUsed, 2*h + 5, 3 * h, "3.3"}}},
		"crash loop": {story{class: service, most: 0, spans: []told{{start, 0, 40, false}, {idle, 40, 60, false}},
			crash: []period.Interval{{From: minute(2), To: minute(20)}, {From: minute(25), To: minute(40)}}},
			[]want{{CrashLoop, 2, 40, "2.28"}}},
	} {
		t.Run(name, func(t *testing.T) {
			got := c.judge(t)
			if len(got) != len(c.want) {
				t.Fatalf("%d findings %+v; want %d", len(got), got, len(c.want))
			}
			for i, w := range c.want {
				f := &got[i]
				if f.Kind != w.kind || f.From != minute(w.from) || f.To != minute(w.to) ||
					f.Share.Cost["USD"].Amount.String() != w.cost {
					t.Errorf("%s from minute %d to %d for %s; want %+v", f.Kind, (f.From-monday)/60, (f.To-monday)/60,
						f.Share.Cost["USD"].Amount, w)
				}
				if len(f.Evidence) == 0 || f.Evidence[0].Threshold == nil {
					t.Errorf("%s has no number next to a threshold: %+v", f.Kind, f.Evidence)
				}
			}
		})
	}
}

// Memory that an earlier holder left on a card does not count as the holder's own.
func TestMemoryOfEarlierHoldersDoesNotCount(t *testing.T) {
	const h = 60
	s := story{class: ledger.ClassRun, spans: []told{{ledger.Overhead, 30, h, false}, {ledger.HeldIdle, h, 5 * h, false}}}
	id, other := ledger.NewID("workload", "c", "u"), ledger.NewID("workload", "c", "before")
	for name, c := range map[string]struct {
		before told // by an earlier holder
		full   int64
		want   Kind
	}{
		"in the hour of both":     {told{ledger.Used, 0, 30, true}, 0, Hoarding},
		"in an hour of its own":   {told{ledger.Used, 0, 30, true}, 1, Preprovisioned},
		"of nobody, in its hours": {told{ledger.Free, 0, 30, false}, 0, Preprovisioned},
	} {
		t.Run(name, func(t *testing.T) {
			n := s.day(id, monday)
			n.Hours[c.full].Signals[ledger.SignalMemoryUsed] = Figure{Minutes: 60, Total: 60 << 31, High: 2 << 30, P95: 2 << 30}
			end := minute(5 * h)
			holders := map[ledger.ID]*Holder{
				id: {ID: id, Class: s.class, Kind: "Job", Hold: period.Interval{From: minute(30), To: end}},
			}
			if c.before.cause != ledger.Free {
				holders[other] = &Holder{
					ID: other, Class: ledger.ClassInteractive,
					Hold: period.Interval{From: minute(c.before.from), To: minute(c.before.to)},
				}
				n.Spans = append(n.Spans, Span{
					Slice: ledger.WholeDevice, Holder: other, Cause: c.before.cause,
					From: minute(c.before.from), To: minute(c.before.to),
				})
			}
			d := &Day{Day: monday, Holders: holders}
			d.Add(n)
			for _, trace := range d.Traces() {
				if trace.Key.Scope != OfHolder || len(trace.Holders) == 0 || trace.Holders[0].ID != id {
					continue
				}
				if got := Judge(trace.Key, []*Trace{trace}, end); len(got) != 1 || got[0].Kind != c.want {
					t.Errorf("%+v; want %s", got, c.want)
				}
				return
			}
			t.Error("nothing is told of the holder")
		})
	}
}

// TestIdleFindingsNeverTakeTwice: in any story, all idle findings together cost at most the held-idle and overhead
// time, to the last unit.
func TestIdleFindingsNeverTakeTwice(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := story{class: rapid.SampledFrom([]ledger.WorkloadClass{ledger.ClassRun, ledger.ClassInteractive,
			ledger.ClassService}).Draw(r, "class"),
			most: rapid.SampledFrom([]int64{0, 1 << 30, 9 << 30}).Draw(r, "memory")}
		at := rapid.Int64Range(0, 600).Draw(r, "start")
		var most money.Amount
		for range rapid.IntRange(1, 12).Draw(r, "stretches") {
			cause := rapid.SampledFrom([]ledger.Cause{
				ledger.HeldIdle, ledger.HeldIdle, ledger.Overhead, ledger.Used, ledger.Lost, ledger.Unobserved,
			}).Draw(r, "cause")
			n := rapid.SampledFrom([]int64{1, 3, 7, 15, 29, 30, 61, 130, 300}).Draw(r, "minutes")
			s.spans = append(s.spans, told{
				cause, at, at + n, (cause == ledger.Used || cause == ledger.Lost) && rapid.Bool().Draw(r, "works"),
			})
			if cause == ledger.HeldIdle || cause == ledger.Overhead {
				most = most.Add(money.FromUnits(n * 60 * 1_000_000_000))
			}
			at += n
		}
		if rapid.Bool().Draw(r, "crashes") {
			from := rapid.Int64Range(0, at).Draw(r, "crash")
			s.crash = []period.Interval{{From: minute(from), To: minute(from + rapid.Int64Range(1, 90).Draw(r, "long"))}}
		}
		var sum money.Amount
		ids := map[ledger.ID]bool{}
		for _, f := range s.judge(t) {
			if d, _ := Define(f.Kind); !d.Idle {
				continue
			}
			sum = sum.Add(f.Share.Cost["USD"].Amount)
			if ids[f.ID()] {
				r.Fatalf("two findings %s", f.ID())
			}
			ids[f.ID()] = true
		}
		if sum.Cmp(most) > 0 {
			r.Fatalf("findings cost %s, all that was idle %s", sum, most)
		}
	})
}

func TestDefinitionsAreWhole(t *testing.T) {
	for _, d := range Definitions {
		if d.Label == "" || d.Meaning == "" || d.Action == "" {
			t.Errorf("%s: %+v", d.Kind, d)
		}
		for _, th := range d.Thresholds {
			if th.Name == "" || th.Unit == "" || th.Bound == "" || th.Value <= 0 {
				t.Errorf("%s: threshold %+v", d.Kind, th)
			}
		}
	}
	if _, ok := Define("nonsense"); ok {
		t.Error("nonsense is a kind")
	}
}

// Work that fits a smaller card uses little of both, on a whole training card, and both are known.
func TestTrainingCardsThatServe(t *testing.T) {
	fits := func(change func(f *sliceFigures, active *Figure, known *bool)) bool {
		active, known := Figure{P95: InferencePPM}, true
		f := &sliceFigures{
			Node: &Node{GPUModel: "H100"},
			Slice: &Hour{
				Slice: ledger.WholeDevice, Signals: map[ledger.Signal]Figure{ledger.SignalMemoryUsed: {P95: InferenceBytes}},
			},
		}
		change(f, &active, &known)
		_, ok := trainingGrade(f, active, known)
		return ok
	}
	if !fits(func(*sliceFigures, *Figure, *bool) {}) {
		t.Error("small work on an H100")
	}
	for name, change := range map[string]func(f *sliceFigures, active *Figure, known *bool){
		"no memory":        func(f *sliceFigures, _ *Figure, _ *bool) { delete(f.Slice.Signals, ledger.SignalMemoryUsed) },
		"unknown activity": func(_ *sliceFigures, _ *Figure, known *bool) { *known = false },
		"a slice":          func(f *sliceFigures, _ *Figure, _ *bool) { f.Slice.Slice = 3 },
		"a small card":     func(f *sliceFigures, _ *Figure, _ *bool) { f.Node.GPUModel = "T4" },
		"busy":             func(_ *sliceFigures, active *Figure, _ *bool) { active.P95++ },
		"much memory": func(f *sliceFigures, _ *Figure, _ *bool) {
			f.Slice.Signals[ledger.SignalMemoryUsed] = Figure{P95: InferenceBytes + 1}
		},
	} {
		if fits(change) {
			t.Error(name)
		}
	}
}

// A machine is quiet between the stretches in which it was held, and all its free time there counts, to the end of
// each.
func TestQuietIsBetweenHolders(t *testing.T) {
	s := story{
		class: ledger.ClassRun, spans: []told{
			{ledger.Used, 0, 60, true}, {ledger.Free, 60, 150, false}, {ledger.Used, 150, 180, true},
			{ledger.Free, 180, 210, false}, {ledger.Used, 210, 240, true},
		},
	}
	id := ledger.NewID("workload", "c", "u")
	d := &Day{
		Day: monday, Holders: map[ledger.ID]*Holder{
			id: {ID: id, Cluster: "c", Hold: period.Interval{From: monday, To: monday + 4*period.Hour}},
		},
	}
	n := s.day(id, monday)
	d.Add(n)
	for _, trace := range d.Traces() {
		if trace.Machine == nil {
			continue
		}
		var got []Quiet
		for _, q := range trace.Machine.Quiet {
			got = append(got, Quiet{From: (q.From - monday) / 60, To: (q.To - monday) / 60, Secs: q.Secs / 60})
		}
		if len(got) != 2 || got[0].From != 60 || got[0].To != 150 || got[0].Secs != 90 || got[1].From != 180 ||
			got[1].To != 210 || got[1].Secs != 30 {
			t.Errorf("quiet %+v", got)
		}
		return
	}
	t.Error("no machine")
}

// A stretch is split at edges inside it, not at its ends or before.
func TestCutsLieInside(t *testing.T) {
	var got []period.Interval
	at(10, 20, []period.Second{3, 9, 10, 15, 19, 20, 21}, func(from, to period.Second) {
		got = append(got, period.Interval{From: from, To: to})
	})
	if want := []period.Interval{{From: 10, To: 15}, {From: 15, To: 19}, {From: 19, To: 20}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
