package pages_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pages"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics/fleet"
	"gpuledger/test/storetest"
)

// TestFleetAtScale measures the reads of the fleet page with 10,000 held GPUs: GPULEDGER_SPACE=1 go test
// ./internal/store -run TestFleetAtScale -v.
func TestFleetAtScale(t *testing.T) {
	if os.Getenv("GPULEDGER_SPACE") == "" {
		t.Skip("measures for a minute: set GPULEDGER_SPACE=1")
	}
	s := storetest.New(t)
	r := rand.New(rand.NewPCG(1, 1))
	busy := storetest.NoisyHour(r, 95)
	const gpus = 10_000
	for h := range 2 {
		hour := storetest.At(1, float64(3+h))
		b := &ledger.Telemetry{
			Sources: []ledger.SourceHour{{Cluster: "c", Source: ledger.SourceKubernetes, Hour: hour, Minutes: 1<<60 - 1}},
		}
		for d := range gpus {
			node, uuid := fmt.Sprintf("node-%04d", d/8),
				fmt.Sprintf("GPU-%08x-f651-4aba-96e4-e183c8%06x", uint32(d)*2654435761, d)
			b.Samples = append(b.Samples, ledger.SampleHour{
				Cluster: "c", Node: node, Device: uuid, Index: int32(d % 8), Model: "NVIDIA H100 80GB HBM3",
				SliceID: ledger.WholeDevice, Hour: hour, Vectors: busy, RowCount: 960,
			})
			b.Evidence = append(b.Evidence, ledger.HoldEvidence{
				Cluster: "c", Node: node, Device: uuid, SliceID: ledger.WholeDevice,
				Namespace: "ns", Pod: fmt.Sprint("pod-", d), Hour: hour, Minutes: 1<<60 - 1,
			})
			if d%8 == 0 {
				b.Nodes = append(b.Nodes, ledger.NodeFact{
					Cluster: "c", Name: node, FirstSeen: hour, LastSeen: hour + period.Hour, AttrsAt: 1,
				})
			}
		}
		storetest.PublishTelemetry(t, s, b)
	}
	for range 3 {
		began := time.Now()
		snap, err := s.Fleet(t.Context(), fleet.Question{Now: storetest.At(1, 5), PerPage: 24})
		if err != nil || snap.GPUs != gpus || snap.ByState[fleet.Active] != gpus || snap.Held != gpus {
			t.Fatalf("%d GPUs, %v, %d held, %v", snap.GPUs, snap.ByState, snap.Held, err)
		}
		t.Logf("a page of the fleet: %s", time.Since(began).Round(time.Millisecond))
	}
	since, asOf := storetest.At(1, 5)-pages.SilentFor, storetest.At(1, 5)
	for _, q := range []struct {
		name string
		args []any
	}{
		{"fleet.newest", nil}, {"fleet.rows", []any{since}},
		{"fleet.evidence", []any{since, (asOf - fleet.Forget).Floor(period.Hour)}},
		{"fleet.placements", []any{since, asOf}}, {"fleet.spans", []any{since, asOf, ""}},
		{"fleet.placed", []any{since}}, {"fleet.listed", []any{since}},
	} {
		rows, err := s.Pool.Query(t.Context(), "explain (analyze, timing off) "+pg.Statement(q.name),
			append([]any{pg.Tenant}, q.args...)...)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		scans := 0
		for _, line := range plan {
			if strings.Contains(line, "Seq Scan on") {
				scans++
			}
		}
		t.Logf("%s: %s, %d sequential scans", q.name, plan[len(plan)-1], scans)
	}
}
