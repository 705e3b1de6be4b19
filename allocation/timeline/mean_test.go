package timeline

import (
	"testing"

	"gpuledger/internal/ledger"

	"pgregory.net/rapid"
)

// A minute is marked exactly when some window of known minutes inside the
// range contains it and adds up to less than threshold × window.
func TestLowMeanAgainstItsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.SampledFrom([]int64{-1, 0, 0, 30_000, 49_999, 50_000, 50_001, 120_000}), 60,
			60).Draw(t, "ppm, -1 missing")
		v := ledger.Minutes{}
		for m, ppm := range values {
			if ppm >= 0 {
				v.Known |= 1 << m
				v.Value[m] = ppm
			}
		}
		rows := []ledger.SampleHour{
			{
				Device: "G", SliceID: ledger.WholeDevice, Hour: start,
				Vectors: map[ledger.Signal]ledger.Minutes{ledger.SignalGrEngine: v},
			},
		}
		a := NewSlot(nil, twoHours, Rows{Inside: pointers(rows)}, nil, twoHours.Window()).Activity(ledger.WholeDevice, 50_000)
		from := rapid.IntRange(0, 60).Draw(t, "from")
		to := rapid.IntRange(from, 120).Draw(t, "to")
		window := rapid.IntRange(1, 30).Draw(t, "window")
		threshold := rapid.SampledFrom([]int64{0, 30_000, 50_000, 1_000_000}).Draw(t, "threshold")
		got := a.LowMean(new(Memory), from, to, window, threshold)
		want := map[int]bool{}
		for first := from; first+window <= to; first++ {
			sum, whole := int64(0), true
			for m := first; m < first+window; m++ {
				if m >= 60 || values[m] < 0 {
					whole = false
					break
				}
				sum += values[m]
			}
			for m := first; whole && sum < threshold*int64(window) && m < first+window; m++ {
				want[m] = true
			}
		}
		for m := range 120 {
			if got.Has(m) != want[m] {
				t.Fatalf("minute %d: marked %v, want %v", m, got.Has(m), want[m])
			}
		}
	})
}

// Idle tensor cores are idle however busy the engine is, and if they are not measured the activity is unknown: no other
// signal replaces theirs.
func TestANamedSignalHasNoStandIn(t *testing.T) {
	busy := row("G", ledger.WholeDevice, "", ledger.SignalGrEngine, 0, 900_000, 0)
	v := ledger.Minutes{Known: 1}
	busy.Vectors[ledger.SignalGPUUtil], busy.Vectors[ledger.SignalTensor] = v, v
	rows := []ledger.SampleHour{busy, row("G", ledger.WholeDevice, "", ledger.SignalGrEngine, 1, 900_000, 0)}
	a := NewSlot(nil, twoHours, Rows{Inside: pointers(rows), Signal: ledger.SignalTensor}, nil,
		twoHours.Window()).Activity(ledger.WholeDevice, 100_000)
	if a.Class(0) != ledger.Idle || a.Class(1) != ledger.ActivityUnknown {
		t.Errorf("%s, %s", a.Class(0), a.Class(1))
	}
}
