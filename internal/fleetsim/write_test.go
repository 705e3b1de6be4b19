package fleetsim

import (
	"os"
	"strconv"
	"testing"
	"time"

	"gpuledger/internal/fleetsim/world"
)

// TestWriteOut writes a data set to look at: GPULEDGER_SIM_OUT names the
// folder (else one that is thrown away), GPULEDGER_SIM_SIZE and
// GPULEDGER_SIM_SEED the fleet.
func TestWriteOut(t *testing.T) {
	dir := os.Getenv("GPULEDGER_SIM_OUT")
	if dir == "" {
		dir = t.TempDir()
	}
	cfg := world.Preset(world.Size(os.Getenv("GPULEDGER_SIM_SIZE")))
	if s := os.Getenv("GPULEDGER_SIM_SEED"); s != "" {
		seed, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Seed = seed
	}
	begin := time.Now()
	f, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.WriteTo(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d GPUs, %d nodes, %d pods, %d bill lines, %d telemetry lines in %v", m.GPUs, m.Nodes, m.Pods, m.BillLines,
		m.TelemetryLines, time.Since(begin))
}
