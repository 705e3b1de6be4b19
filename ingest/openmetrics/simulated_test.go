package openmetrics

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/ledger"
)

// TestSimulatedFleet reads all that a simulated fleet exports in one day:
// whole cards, MIG, time slicing, both exporter generations. Nothing may be
// refused, and every kind of fact must come out.
func TestSimulatedFleet(t *testing.T) {
	cfg := fleetsim.Preset(fleetsim.Small)
	cfg.Days = 1
	fleet, err := fleetsim.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	m, err := fleet.WriteTo(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	all := &ledger.Telemetry{}
	for _, name := range m.Telemetry {
		parseFile(t, filepath.Join(dir, name), all)
	}
	slices, largest := 0, int64(0)
	held := map[string]bool{}
	for _, s := range all.Samples {
		if s.SliceID != ledger.WholeDevice {
			slices++
		}
		for _, signal := range []ledger.Signal{ledger.SignalGPUUtil, ledger.SignalGrEngine} {
			v := s.Vectors[signal]
			for i := range 60 {
				largest = max(largest, v.Value[i])
			}
		}
	}
	for _, e := range all.Evidence {
		held[e.Device] = true
	}
	if largest > 2_000_000 || largest < 500_000 { // profiling counters may pass 1 a little
		t.Errorf("the largest activity is %d ppm", largest)
	}
	if slices == 0 || len(held) == 0 || len(all.Nodes) < m.Nodes/2 || len(all.Workloads) == 0 ||
		len(all.NodeStates) == 0 ||
		len(all.Sources) == 0 || len(all.Objects) == 0 || len(all.Checkpoints) == 0 || len(all.Counters) == 0 {
		t.Errorf("%d slices, %d held devices, %d nodes, %d pods, %d states, %d objects, %d checkpoints, %d inference hours",
			slices, len(held),
			len(all.Nodes), len(all.Workloads), len(all.NodeStates), len(all.Objects), len(all.Checkpoints), len(all.Counters))
	}
}

func parseFile(t *testing.T, path string, all *ledger.Telemetry) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}()
	z, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	st, err := Parse(t.Context(), z, filepath.Base(path), Options{}, func(x *ledger.Telemetry) error {
		gather(all, x)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	checkStats(t, st)
	if st.Rejected != 0 || st.Accepted == 0 || st.Unsorted != 0 || st.Duplicates != 0 {
		t.Errorf("%s: %+v", path, st)
	}
}
