package waste

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// stands checks that the number meets its threshold, also as shown.
func stands(t interface{ Fatalf(string, ...any) }, f *Finding) {
	for _, e := range f.Evidence {
		if e.Threshold == nil {
			continue
		}
		if !e.Bound.Holds(e.Value, *e.Threshold) {
			t.Fatalf("%s: %s is %d, not %s %d", f.Kind, e.Name, e.Value, e.Bound, *e.Threshold)
		}
		value, threshold := shown(t, e)
		if !e.Bound.holds(int64(value.Cmp(threshold))) {
			t.Fatalf("%s says %q", f.Kind, e.Said)
		}
	}
}

// shown reads the two numbers from the shown text.
func shown(t interface{ Fatalf(string, ...any) }, e Evidence) (value, threshold *big.Rat) {
	said := strings.TrimPrefix(e.Said, Words(e.Name)+" ")
	first, rest, _ := strings.Cut(said, " ")
	_, limit, ok := strings.Cut(rest, "("+string(e.Bound)+" ")
	limit, _, _ = strings.Cut(strings.TrimSuffix(limit, ")"), " ")
	value, good := new(big.Rat).SetString(first)
	threshold, also := new(big.Rat).SetString(limit)
	if !ok || !good || !also {
		t.Fatalf("%q shows no two numbers", e.Said)
	}
	return value, threshold
}

// TestShownNumbersCompareLikeTheirValues: shown numbers compare with shown thresholds as their values do.
func TestShownNumbersCompareLikeTheirValues(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		d := rapid.SampledFrom(Definitions).Draw(r, "kind")
		if len(d.Thresholds) == 0 {
			return
		}
		limit := rapid.SampledFrom(d.Thresholds).Draw(r, "threshold")
		off := rapid.OneOf(rapid.Int64Range(-3, 3), rapid.Int64Range(-limit.Value, 3*limit.Value)).Draw(r, "off")
		if limit.Bound == Of || !limit.Bound.holds(off) {
			return
		}
		f := &Finding{Kind: d.Kind, Evidence: EvidenceOf(d.Kind, Number{limit.Name, limit.Unit, limit.Value + off})}
		stands(r, f)
	})
	for said, e := range map[string]Evidence{
		"activity 49.98 % (below 50 %)": {
			Name: "activity", Unit: "ppm", Value: 499_800, Bound: Below, Threshold: new(int64(500_000)),
		},
		"activity 49.9999 % (below 50 %)": {
			Name: "activity", Unit: "ppm", Value: 499_999, Bound: Below, Threshold: new(int64(500_000)),
		},
		"activity 31.3 % (below 50 %)": {
			Name: "activity", Unit: "ppm", Value: 312_600, Bound: Below, Threshold: new(int64(500_000)),
		},
		"before work 0.5003 h (above 0.5 h)": {
			Name: "before_work", Unit: "seconds", Value: 1801, Bound: Above, Threshold: new(int64(1800)),
		},
		"hours 3 (at least 3)": {
			Name: "hours", Unit: "hours", Value: 3, Bound: AtLeast, Threshold: new(int64(3)),
		},
		"memory used 0 GiB (at most 1 GiB)": {
			Name: "memory_used", Unit: "bytes", Value: 5, Bound: AtMost, Threshold: new(int64(1 << 30)),
		},
		"throttle reasons p95 64 bit set": {Name: "throttle_reasons_p95", Unit: "bit set", Value: 64},
		"XID 79":                          {Name: "xid", Value: 79},
		"link 51.2 GB/s (at least 50 GB/s)": {
			Name: "link", Unit: "bytes per second", Value: 51_234_000_000, Bound: AtLeast, Threshold: new(int64(50_000_000_000)),
		},
		"free 20.0001 % (above 20 %)": {
			Name: "free", Unit: "ppm", Value: 200_001, Bound: Above, Threshold: new(int64(200_000)),
		},
		"allowed 0 retries (below 1 retry)": {
			Name: "allowed", Unit: "retries", Value: 0, Bound: Below, Threshold: new(int64(1)),
		},
		"needed replicas 4": {Name: "needed_replicas", Unit: "replicas", Value: 4},
	} {
		if got := e.text(); got != said {
			t.Errorf("%q; want %q", got, said)
		}
	}
}

// TestNumbersOfFindingsMeetTheirThresholds: in any story, each finding's numbers meet its thresholds, and it runs from
// the start of one found stretch to the end of another.
func TestNumbersOfFindingsMeetTheirThresholds(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := story{class: rapid.SampledFrom([]ledger.WorkloadClass{ledger.ClassRun, ledger.ClassInteractive,
			ledger.ClassService}).Draw(r, "class"),
			most: rapid.SampledFrom([]int64{0, 1 << 30, 9 << 30}).Draw(r, "memory")}
		at := rapid.Int64Range(0, 1439).Draw(r, "start")
		for range rapid.IntRange(1, 15).Draw(r, "stretches") {
			cause := rapid.SampledFrom([]ledger.Cause{
				ledger.HeldIdle, ledger.HeldIdle, ledger.Overhead, ledger.Used, ledger.Unobserved,
			}).Draw(r, "cause")
			n := rapid.SampledFrom([]int64{1, 2, 4, 5, 14, 15, 29, 30, 61, 130, 300}).Draw(r, "minutes")
			s.spans = append(s.spans, told{cause, at, at + n, cause == ledger.Used && rapid.Bool().Draw(r, "works")})
			at += n
		}
		if rapid.Bool().Draw(r, "crashes") {
			from := rapid.Int64Range(0, at).Draw(r, "crash")
			s.crash = []period.Interval{{From: minute(from), To: minute(from + rapid.Int64Range(1, 90).Draw(r, "long"))}}
		}
		limits := Limits{Minimum: MinimumSeconds}
		for _, f := range limits.Lasting(s.judge(t)) {
			stands(r, &f)
			if f.To-f.From < MinimumSeconds {
				r.Fatalf("%s lasts %d s", f.Kind, f.To-f.From)
			}
			if f.Met <= 0 || f.Met > int64(f.To-f.From) {
				r.Fatalf("%s was met for %d of %d s", f.Kind, f.Met, f.To-f.From)
			}
			if f.Kind == CrashLoop {
				continue // its criterion is the minutes of the loop
			}
			idle := func(at period.Second) bool {
				for _, v := range s.spans {
					if minute(v.from) <= at && at < minute(v.to) {
						return v.cause == ledger.HeldIdle || v.cause == ledger.Overhead
					}
				}
				return false
			}
			if !idle(f.From) || !idle(f.To-1) {
				r.Fatalf("%s from minute %d to %d begins or ends with work: %+v", f.Kind, (f.From-monday)/60, (f.To-monday)/60,
					s.spans)
			}
			if f.Kind != HeldNotUsed && f.Kind != ForgottenNotebook {
				continue
			}
			var sum, gap period.Second
			for at := f.From; at < f.To; at += 60 {
				if idle(at) {
					sum, gap = sum+60, 0
				} else if gap += 60; gap >= BridgeSeconds {
					r.Fatalf("%s has a gap of %d s: %+v", f.Kind, gap, s.spans)
				}
			}
			if f.Met != int64(sum) {
				r.Fatalf("%s was met for %d s, of idle time there were %d", f.Kind, f.Met, sum)
			}
			if f.Evidence[0].Value != int64(sum) {
				r.Fatalf("%s says %d s of idle time, there were %d", f.Kind, f.Evidence[0].Value, sum)
			}
		}
	})
}

// TestMarksOfMixedSignalsMeetTheirThresholds: hours of a kind, each of which met its criterion by one of the kind's
// signals, in any mix and order.
func TestMarksOfMixedSignalsMeetTheirThresholds(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		d := rapid.SampledFrom([]Kind{
			Throttled, InputStarved, MemoryBound, CommunicationBound,
			MemorySaturated, TrainingGradeInference, TimeslicingProduction,
		}).Draw(r, "kind")
		definition, _ := Define(d)
		var traces []*Trace
		covered := map[period.Second]bool{}
		for range rapid.IntRange(1, 12).Draw(r, "marks") {
			hour := monday + period.Second(rapid.Int64Range(0, 47).Draw(r, "hour"))*period.Hour
			m := Mark{Kind: d, From: hour, To: hour + period.Hour, Seconds: period.Hour}
			switch {
			case d == TimeslicingProduction:
				m.To = hour + period.Second(60*rapid.Int64Range(1, 200).Draw(r, "minutes"))
				m.Seconds = int64(m.To - m.From)
			case d == Throttled && rapid.Bool().Draw(r, "reasons"):
				m.Numbers = []Number{{"throttle_reasons_p95", "bit set", 0x40}}
			default:
				for _, limit := range definition.Thresholds[1:] {
					off := rapid.Int64Range(0, limit.Value).Draw(r, limit.Name)
					switch limit.Bound {
					case AtMost:
						off = -off
					case Below:
						off = -max(1, off)
					}
					m.Numbers = append(m.Numbers, Number{limit.Name, limit.Unit, limit.Value + off})
				}
			}
			for at := m.From; at < m.To; at += 60 {
				covered[at] = true
			}
			traces = append(traces, &Trace{Day: hour.Floor(period.Day), Marks: []Mark{m}})
		}
		for _, f := range judgeMarks(traces, monday+2*period.Day) {
			stands(r, &f)
			n := int64(0)
			for at := f.From; at < f.To; at += 60 {
				if covered[at] {
					n += 60
				}
			}
			if f.Met != n {
				r.Fatalf("%s was met for %d s, of %d", d, f.Met, n)
			}
			if !covered[f.From] || !covered[f.To-60] {
				r.Fatalf("%s begins or ends with time that did not meet it", d)
			}
			if e := f.Evidence[0]; e.Unit == "seconds" && e.Value != n || e.Unit == "hours" && e.Value != n/3600 {
				r.Fatalf("%s says %+v of %d s", d, e, n)
			}
		}
	})
}

// Consecutive days of a service have the numbers of one day, and a machine that never joined a cluster has no finding.
func TestNumbersOfAFindingComeFromOneDay(t *testing.T) {
	day := func(k int64, fewest, busy int64) *Trace {
		at := monday + period.Second(k)*period.Day
		trace := &Trace{Key: Key{OfService, "c/ns/Deployment/web"}, Day: at}
		for i := range fewest {
			h := HolderDay{ID: ledger.NewID("w", string(rune('a'+i))), Class: ledger.ClassService}
			for hour := range int64(24) {
				h.Hours = append(h.Hours, ReplicaHour{Hour: at + period.Second(hour)*period.Hour, Whole: true, Activity: busy})
			}
			trace.Holders = append(trace.Holders, h)
		}
		return trace
	}
	traces := []*Trace{day(0, 6, 300_000), day(1, 2, 100_000)} // 6 when 3 would do, then 2 when 1 would
	found := Judge(traces[0].Key, traces, monday+2*period.Day)
	if len(found) != 1 || found[0].Evidence[1].Value != 2 || found[0].Evidence[2].Value != 1 ||
		found[0].Met != 2*period.Day {
		t.Errorf("%+v", found)
	}
	// The use of a machine that was never observed is unknown.
	traces = []*Trace{{Key: Key{OfNode, "i-1"}, Day: monday, Machine: &MachineDay{First: minute(10), Last: minute(100)}}}
	if found = Judge(traces[0].Key, traces, monday+period.Day); len(found) != 0 {
		t.Errorf("%+v", found)
	}
}
