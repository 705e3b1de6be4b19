package analysis

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
	"gpuledger/internal/sketch"
)

// Whole held hours are counted from their sketches, partly held ones from their minutes; both must equal a count
// minute by minute.
func TestHoldersGetTheMinutesThatTheyHeld(t *testing.T) {
	workloads := []ledger.ID{ledger.NewID("w", "a"), ledger.NewID("w", "b")}
	tries := []RunHolder{
		{}, {"r1", ledger.NewID("a", "1")}, {"r1", ledger.NewID("a", "2")}, {"r2", ledger.NewID("a", "3")},
	}
	rapid.Check(t, func(t *rapid.T) {
		day := period.DayOf(1_795_096_800)
		of := HeldSlice{ledger.NewID("node", "n"), 1, ledger.WholeDevice}
		step := rapid.SampledFrom([]int64{period.Hour, period.Day}).Draw(t, "step")
		held := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Held {
			from := rapid.Int64Range(0, 3*period.Hour).Draw(t, "from")
			length := rapid.OneOf(rapid.Int64Range(0, 200), rapid.Int64Range(0, 3*period.Hour)).Draw(t, "length")
			return Held{of, period.Interval{From: day.From + period.Second(from), To: day.From + period.Second(from+length)},
				rapid.SampledFrom(workloads).Draw(t, "workload"), ledger.ID{}, rapid.SampledFrom(tries).Draw(t, "run")}
		}), 0, 6).Draw(t, "held")
		g := NewHolderSignals(day, step)
		for _, h := range held {
			g.Hold(h)
		}
		wantWorkloads, wantRuns := map[heldAt[WorkloadHolder]]map[int32]int64{}, map[heldAt[RunHolder]]map[int32]int64{}
		for hour := day.From; hour < day.From+6*period.Hour; hour += period.Hour {
			vectors, signal := drawHour(t)
			if part := g.AddHour(of, summed(hour, vectors)); part {
				g.AddMinutes(of, hour, vectors)
			}
			v := vectors[signal]
			for m := range 60 {
				value, known := minutes.At(&v, m)
				if !known {
					continue
				}
				at := hour + period.Second(m*period.Minute)
				bin, begin := sketch.BinOf(sketch.ValueOf(sketch.BinOf(value))), hour.Floor(step)
				ofWorkload, ofRun := map[heldAt[WorkloadHolder]]bool{}, map[heldAt[RunHolder]]bool{}
				for _, h := range held {
					if h.Contains(at) {
						ofWorkload[heldAt[WorkloadHolder]{WorkloadHolder{h.WorkloadID, h.OwnerID, h.NodeID}, begin}] = true
						if h.RunID != "" {
							ofRun[heldAt[RunHolder]{h.RunHolder, begin}] = true
						}
					}
				}
				countOne(wantWorkloads, ofWorkload, bin)
				countOne(wantRuns, ofRun, bin)
			}
		}
		gotWorkloads, gotRuns := map[heldAt[WorkloadHolder]]map[int32]int64{}, map[heldAt[RunHolder]]map[int32]int64{}
		for _, w := range g.Workloads() {
			gotWorkloads[heldAt[WorkloadHolder]{w.WorkloadHolder, w.At}] = unpacked(w.Bins)
		}
		for _, r := range g.Runs() {
			gotRuns[heldAt[RunHolder]{r.RunHolder, r.At}] = unpacked(r.Bins)
		}
		if !maps.EqualFunc(gotWorkloads, wantWorkloads, maps.Equal) {
			t.Fatalf("workloads: %v, want %v", gotWorkloads, wantWorkloads)
		}
		if !maps.EqualFunc(gotRuns, wantRuns, maps.Equal) {
			t.Fatalf("runs: %v, want %v", gotRuns, wantRuns)
		}
	})
}

// drawHour generates the minutes of an hour: of the engine, which counts if it is there, and of the whole device.
func drawHour(t *rapid.T) (map[ledger.Signal]ledger.Minutes, ledger.Signal) {
	vectors := map[ledger.Signal]ledger.Minutes{}
	signal := ledger.SignalGPUUtil
	for _, s := range []ledger.Signal{ledger.SignalGrEngine, ledger.SignalGPUUtil} {
		var v ledger.Minutes
		for _, m := range rapid.SliceOfN(rapid.IntRange(0, 59), 0, 70).Draw(t, string(s)) {
			minutes.Set(&v, m, 0, rapid.Int64Range(0, 1_000_000).Draw(t, "value"))
		}
		if v.Known == 0 {
			continue
		}
		if vectors[s] = v; s == ledger.SignalGrEngine {
			signal = s
		}
	}
	return vectors, signal
}

// summed is the summary of an hour.
func summed(hour period.Second, vectors map[ledger.Signal]ledger.Minutes) *SignalHour {
	h := &SignalHour{
		SliceID: ledger.WholeDevice, Hour: hour, Figures: map[ledger.Signal]SignalFigures{},
		Sketches: map[ledger.Signal]sketch.Sketch{},
	}
	for s, v := range vectors {
		var values []int64
		for m := range 60 {
			if value, known := minutes.At(&v, m); known {
				values = append(values, value)
			}
		}
		h.Figures[s], h.Sketches[s] = SignalFigures{Minutes: int64(len(values))}, sketch.Of(values)
	}
	return h
}

func countOne[K comparable](into map[K]map[int32]int64, of map[K]bool, bin int32) {
	for k := range of {
		if into[k] == nil {
			into[k] = map[int32]int64{}
		}
		into[k][bin]++
	}
}

func unpacked(bins []int64) map[int32]int64 {
	if !slices.IsSorted(bins) {
		return nil
	}
	counts := map[int32]int64{}
	for _, b := range bins {
		counts[int32(b>>40)-1] = b & (1<<40 - 1)
	}
	return counts
}
