package timeline

import (
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"

	"pgregory.net/rapid"
)

// The tests of this file check minute by minute the code that works on words of an hour.

func anyBits(t *rapid.T, g Grid, label string) (Bits, []bool) {
	b, plain := new(Memory).Bits(g), make([]bool, g.Minutes())
	for h := range g.Hours {
		w := rapid.SampledFrom([]uint64{0, allMinutes, rapid.Uint64().Draw(t, label)}).Draw(t, label+" hour")
		b.AddHour(g.From+period.Second(h)*period.Hour, w)
		for m := range 60 {
			plain[h*60+m] = w>>m&1 == 1
		}
	}
	return b, plain
}

func TestBitsAgainstMinutes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := Grid{start, rapid.IntRange(1, 4).Draw(t, "hours")}
		b, plain := anyBits(t, g, "set")
		from := rapid.IntRange(0, g.Minutes()).Draw(t, "from")
		to := rapid.IntRange(from, g.Minutes()).Draw(t, "to")
		need := rapid.IntRange(1, 70).Draw(t, "need")

		first := from
		for first < to && !plain[first] {
			first++
		}
		if got := b.First(from, to); got != first {
			t.Fatalf("first of [%d,%d): %d, want %d", from, to, got, first)
		}
		runs := b.Runs(new(Memory), from, to, need)
		for m := range plain {
			if changed := m > 0 && plain[m] != plain[m-1]; b.Edges(m/60)>>(m%60)&1 == 1 != changed {
				t.Fatalf("minute %d changed: %v", m, changed)
			}
			length := 0
			if m >= from && m < to && plain[m] {
				a, z := m, m
				for a > from && plain[a-1] {
					a--
				}
				for z < to && plain[z] {
					z++
				}
				length = z - a
			}
			if runs.Has(m) != (length >= need) {
				t.Fatalf("minute %d is in a run of %d inside [%d,%d), need %d: %v", m, length, from, to, need, runs.Has(m))
			}
		}
		b.keep(from, to)
		for m := range plain {
			if b.Has(m) != (plain[m] && m >= from && m < to) {
				t.Fatalf("minute %d kept of [%d,%d): %v", m, from, to, b.Has(m))
			}
		}
	})
}

type sample struct {
	value int64
	at    uint16
	known bool
}

func (s *sample) newer(value int64, at uint16) {
	if !s.known || at > s.at || at == s.at && value > s.value {
		*s = sample{value, at, true}
	}
}

// One device, whole, in any number of rows: activity is the newest engine
// value, in hours without any the newest utilisation.
func TestActivityAgainstMinutes(t *testing.T) {
	mem := new(Memory)
	rapid.Check(t, func(t *rapid.T) {
		mem.Reset()
		g := Grid{start, 2}
		plain := map[ledger.Signal][]sample{
			ledger.SignalGrEngine: make([]sample, 120), ledger.SignalGPUUtil: make([]sample, 120),
		}
		var rows []*ledger.SampleHour
		for range rapid.IntRange(0, 4).Draw(t, "rows") {
			hour := rapid.IntRange(0, 1).Draw(t, "hour")
			signal := rapid.SampledFrom([]ledger.Signal{
				ledger.SignalGrEngine, ledger.SignalGrEngine, ledger.SignalGPUUtil,
			}).Draw(t, "signal")
			v := ledger.Minutes{
				Known: rapid.SampledFrom([]uint64{allMinutes, rapid.Uint64().Draw(t, "known") & allMinutes}).Draw(t, "which"),
			}
			for m := range 60 {
				if v.Known>>m&1 == 1 {
					v.Value[m] = rapid.SampledFrom([]int64{-5, 0, 99_999, 100_000, 700_000, 2_000_000}).Draw(t, "value")
					v.At[m] = rapid.SampledFrom([]uint16{0, 7, 59_999}).Draw(t, "at")
					plain[signal][hour*60+m].newer(min(max(v.Value[m], 0), 1_000_000), v.At[m])
				}
			}
			rows = append(rows, &ledger.SampleHour{
				Device: "G", SliceID: ledger.WholeDevice, Hour: start + period.Second(hour)*period.Hour,
				Vectors: map[ledger.Signal]ledger.Minutes{signal: v},
			})
		}
		threshold := rapid.SampledFrom([]int64{0, 1, 100_000, 1_000_000}).Draw(t, "threshold")
		a := NewSlot(mem, g, Rows{Inside: rows}, []ledger.Device{{UUID: "G"}},
			g.Window()).Activity(ledger.WholeDevice, threshold)
		from := start + period.Second(rapid.Int64Range(0, 7200).Draw(t, "from"))
		i := period.Interval{From: from, To: from + period.Second(rapid.Int64Range(0, 7200).Draw(t, "seconds"))}
		sum := int64(0)
		for m := range 120 {
			source := plain[ledger.SignalGPUUtil]
			for _, s := range plain[ledger.SignalGrEngine][m/60*60 : m/60*60+60] {
				if s.known {
					source = plain[ledger.SignalGrEngine]
				}
			}
			want := ledger.ActivityUnknown
			if s := source[m]; s.known {
				want = ledger.Idle
				if s.value >= threshold {
					want = ledger.Active
				}
				sum += s.value * i.Intersect(period.Interval{From: g.At(m), To: g.At(m + 1)}).Seconds()
			}
			if a.Class(m) != want {
				t.Fatalf("minute %d is %s, want %s", m, a.Class(m), want)
			}
			if changed := m > 0 && a.Class(m) != a.Class(m-1); changed && a.Edges(m/60)>>(m%60)&1 == 0 {
				t.Fatalf("minute %d changes unseen", m)
			}
		}
		if got := a.Sum(i); got != sum {
			t.Fatalf("sum over %v is %d, want %d", i, got, sum)
		}
	})
}

// Layouts change exactly when the set of slices of a minute does; a minute with rows of the whole device only is one
// without slices, unless they report that MIG is on.
func TestLayoutsAgainstMinutes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := Grid{start, 2}
		seen := [3][]bool{}
		var rows []*ledger.SampleHour
		for id := range seen {
			var b Bits
			b, seen[id] = anyBits(t, g, "slice")
			for h, w := range b.words {
				rows = append(rows, &ledger.SampleHour{Device: "G", SliceID: int32(id), Profile: "1g.5gb", Hour: start +
					period.Second(h)*period.Hour,
					Vectors: map[ledger.Signal]ledger.Minutes{ledger.SignalSeen: {Known: w}}})
			}
		}
		whole, wholeSeen := anyBits(t, g, "whole")
		mode, modeOn := anyBits(t, g, "MIG mode")
		for h := range g.Hours {
			hour := start + period.Second(h)*period.Hour
			on := ledger.Minutes{Known: mode.words[h]}
			for m := range 60 {
				on.Value[m] = int64(mode.words[h] >> m & 1)
			}
			rows = append(rows, &ledger.SampleHour{Device: "G", SliceID: ledger.WholeDevice, Hour: hour,
				Vectors: map[ledger.Signal]ledger.Minutes{ledger.SignalMIGMode: on}},
				&ledger.SampleHour{
					Device: "G", SliceID: ledger.WholeDevice, Hour: hour,
					Vectors: map[ledger.Signal]ledger.Minutes{ledger.SignalEnergy: {Known: whole.words[h]}},
				})
		}
		rows = rapid.Permutation(rows).Draw(t, "order")
		s := NewSlot(nil, g, Rows{Inside: rows}, []ledger.Device{{UUID: "G"}}, g.Window())
		var now [3]bool
		known := false
		for m := range g.Minutes() {
			minute := [3]bool{seen[0][m], seen[1][m], seen[2][m]}
			if minute != [3]bool{} || wholeSeen[m] && !modeOn[m] {
				now, known = minute, true
			}
			if !known { // the first layout reaches back
				continue
			}
			for i := range s.Layouts {
				if !s.Layouts[i].Contains(g.At(m)) {
					continue
				}
				for id := range seen {
					if s.Layouts[i].Has(int32(id)) != now[id] {
						t.Fatalf("minute %d, slice %d: %v, want %v", m, id, !now[id], now[id])
					}
				}
			}
		}
	})
}
