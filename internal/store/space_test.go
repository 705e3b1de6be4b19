package store_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
	"gpuledger/test/storetest"
)

// TestSampleSpace measures the space of a device's hour in the database, with all indexes: GPULEDGER_SPACE=1 go test
// ./internal/store -run TestSampleSpace -v (docs/operate/performance.md). In the mix, half of the devices work, a fifth
// serve and the rest are idle, each with the noise that exporters print.
func TestSampleSpace(t *testing.T) {
	if os.Getenv("GPULEDGER_SPACE") == "" {
		t.Skip("measures for a minute: set GPULEDGER_SPACE=1")
	}
	t.Run("mix", func(t *testing.T) {
		sampleSpace(t, func(device int) int64 {
			switch {
			case device%10 < 5:
				return 95
			case device%10 < 7:
				return 45
			}
			return 0
		})
	})
	t.Run("all work", func(t *testing.T) { sampleSpace(t, func(int) int64 { return 95 }) })
}

func sampleSpace(t *testing.T, busyOf func(device int) int64) {
	const devices, hours, live = 400, 24, 15
	s := storetest.New(t)
	r := rand.New(rand.NewPCG(1, 1))
	start := period.MonthOf(storetest.At(1, 0)).From
	for h := range hours {
		whole := make([]ledger.SampleHour, devices)
		for d := range whole {
			whole[d] = ledger.SampleHour{Cluster: "ml-prod", Node: fmt.Sprintf("ip-10-20-%d-%d.ec2.internal", d/8/250, d/8%250),
				Device: fmt.Sprintf("GPU-%08x-f651-4aba-96e4-e183c8%06x", uint32(d)*2654435761, d),
				Index:  int32(d % 8), Model: "NVIDIA H100 80GB HBM3", SliceID: ledger.WholeDevice,
				Hour: start + period.Second(h)*period.Hour, RowCount: 60 * 16, Vectors: storetest.NoisyHour(r, busyOf(d))}
		}
		// As while serving: the hour grows in steps.
		for step := live; step <= 60; step += live {
			part := make([]ledger.SampleHour, devices)
			for d := range part {
				part[d] = whole[d]
				part[d].Vectors = map[ledger.Signal]ledger.Minutes{}
				for name, v := range whole[d].Vectors {
					var p ledger.Minutes
					for m := step - live; m < step; m++ {
						minutes.Set(&p, m, int(v.At[m]), v.Value[m])
					}
					part[d].Vectors[name] = p
				}
			}
			storetest.PublishTelemetry(t, s, &ledger.Telemetry{Samples: part})
			storetest.Run(t, s.Pool, "vacuum sample_hours") // as autovacuum does when there are many hours
		}
	}
	if _, err := s.Summarise(t.Context(), start+period.Second(hours+1)*period.Hour); err != nil {
		t.Fatal(err)
	}
	total := 0.0
	for _, table := range []string{"sample_hours", "sample_summaries"} {
		var heap, indexes, toast, vectors int64
		err := s.Pool.QueryRow(t.Context(), `select sum(pg_relation_size(relid))::bigint, sum(pg_indexes_size(relid))::bigint,
			sum(pg_total_relation_size(relid) - pg_relation_size(relid) - pg_indexes_size(relid))::bigint
			from pg_partition_tree($1::regclass) where isleaf`, table).Scan(&heap, &indexes, &toast)
		if err != nil {
			t.Fatal(err)
		}
		if table == "sample_hours" {
			if err := s.Pool.QueryRow(t.Context(),
				"select avg(length(vectors))::bigint from sample_hours").Scan(&vectors); err != nil {
				t.Fatal(err)
			}
		} else {
			var figures, sketches int64
			if err := s.Pool.QueryRow(t.Context(),
				"select avg(length(figures))::bigint, avg(length(sketches))::bigint from sample_summaries").Scan(&figures,
				&sketches); err != nil {
				t.Fatal(err)
			}
			t.Logf("figures %d bytes, sketches %d", figures, sketches)
			began := time.Now()
			if _, err := s.Pool.Exec(t.Context(),
				"select sum(f.p95) from sample_summaries s, sample_figures(s.figures) f"); err != nil {
				t.Fatal(err)
			}
			t.Logf("reading the figures of an hour of a device: %s", time.Since(began)/(devices*hours))
		}
		const n = devices * hours
		each := float64(heap+indexes+toast) / n
		t.Logf("%s: %.0f bytes an hour of a device (table %d, indexes %d, out of line %d; vectors %d): %.1f GB for "+
			"10,000 × 30 days", table, each, heap/n, indexes/n, toast/n, vectors, each*10_000*30*24/1e9)
		total += each
		if table == "sample_hours" && each*10_000*30*24 > 15e9 {
			t.Errorf("10,000 devices × 30 days take %.1f GB, at most 15", each*10_000*30*24/1e9)
		}
	}
	t.Logf("both: %.1f GB", total*10_000*30*24/1e9)
}
