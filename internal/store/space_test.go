package store

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
)

// TestSampleSpace measures what an hour of a device takes in the database, with
// all of its indexes: GPULEDGER_SPACE=1 go test ./internal/store -run TestSampleSpace -v
// (docs/performance.md). In the mix half of the devices work, a fifth serves, the
// rest is idle, each with the noise that exporters print.
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
	s := newStore(t)
	r := rand.New(rand.NewPCG(1, 1))
	start := period.MonthOf(at(1, 0)).From
	for h := range hours {
		whole := make([]ledger.SampleHour, devices)
		for d := range whole {
			whole[d] = ledger.SampleHour{Cluster: "ml-prod", Node: fmt.Sprintf("ip-10-20-%d-%d.ec2.internal", d/8/250, d/8%250), Device: fmt.Sprintf("GPU-%08x-f651-4aba-96e4-e183c8%06x", uint32(d)*2654435761, d),
				Index: int32(d % 8), Model: "NVIDIA H100 80GB HBM3", SliceID: ledger.WholeDevice, Hour: start + period.Second(h)*period.Hour, RowCount: 60 * 16, Vectors: noisyHour(r, busyOf(d))}
		}
		// As it arrives while serving: the hour grows in steps.
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
			publishTelemetry(t, s, &ledger.Telemetry{Samples: part})
			run(t, s.pool, "vacuum sample_hours") // as autovacuum does when hours are many
		}
	}
	if _, err := s.Summarise(t.Context(), start+period.Second(hours+1)*period.Hour); err != nil {
		t.Fatal(err)
	}
	total := 0.0
	for _, table := range []string{"sample_hours", "sample_summaries"} {
		var heap, indexes, toast, vectors int64
		err := s.pool.QueryRow(t.Context(), `select sum(pg_relation_size(relid))::bigint, sum(pg_indexes_size(relid))::bigint, sum(pg_total_relation_size(relid) - pg_relation_size(relid) - pg_indexes_size(relid))::bigint
			from pg_partition_tree($1::regclass) where isleaf`, table).Scan(&heap, &indexes, &toast)
		if err != nil {
			t.Fatal(err)
		}
		if table == "sample_hours" {
			if err := s.pool.QueryRow(t.Context(), "select avg(length(vectors))::bigint from sample_hours").Scan(&vectors); err != nil {
				t.Fatal(err)
			}
		} else {
			var figures, sketches int64
			if err := s.pool.QueryRow(t.Context(), "select avg(length(figures))::bigint, avg(length(sketches))::bigint from sample_summaries").Scan(&figures, &sketches); err != nil {
				t.Fatal(err)
			}
			t.Logf("figures %d bytes, sketches %d", figures, sketches)
			began := time.Now()
			if _, err := s.pool.Exec(t.Context(), "select sum(f.p95) from sample_summaries s, sample_figures(s.figures) f"); err != nil {
				t.Fatal(err)
			}
			t.Logf("reading the figures of an hour of a device: %s", time.Since(began)/(devices*hours))
		}
		const n = devices * hours
		each := float64(heap+indexes+toast) / n
		t.Logf("%s: %.0f bytes an hour of a device (table %d, indexes %d, out of line %d; vectors %d): %.1f GB for 10,000 × 30 days", table, each, heap/n, indexes/n, toast/n, vectors, each*10_000*30*24/1e9)
		total += each
		if table == "sample_hours" && each*10_000*30*24 > 15e9 {
			t.Errorf("10,000 devices × 30 days take %.1f GB, at most 15", each*10_000*30*24/1e9)
		}
	}
	t.Logf("both: %.1f GB", total*10_000*30*24/1e9)
}

// noisyHour is an hour of what an exporter prints of a device, as it is read:
// ratios with six digits, memory and rates in MiB, power in 100 mW, a counter of
// energy in mJ.
func noisyHour(r *rand.Rand, busy int64) map[ledger.Signal]ledger.Minutes {
	out := map[ledger.Signal]ledger.Minutes{}
	set := func(name ledger.Signal, f func() int64) {
		var m ledger.Minutes
		for i := range 60 {
			minutes.Set(&m, i, 31_417, f())
		}
		out[name] = m
	}
	noise := func(sigma int64) int64 { return int64(r.NormFloat64() * float64(sigma)) }
	ratio := func(part, sigma int64) func() int64 {
		return func() int64 {
			if busy == 0 {
				return 0
			}
			return min(max(busy*part*100+noise(sigma), 0), 1_000_000)
		}
	}
	set(ledger.SignalGrEngine, ratio(96, 15_000))
	set(ledger.SignalGPUUtil, func() int64 { return min(max(busy+noise(2), 0), 100) * 10_000 })
	set(ledger.SignalSM, ratio(70, 20_000))
	set(ledger.SignalTensor, ratio(35, 18_000))
	set(ledger.SignalDRAM, ratio(45, 15_000))
	used := 61_000 + noise(3000)
	set(ledger.SignalMemoryUsed, func() int64 { return used << 20 })
	set(ledger.SignalMemoryFree, func() int64 { return (81_559 - used) << 20 })
	watts := 70_000 + busy*5500
	spread := max(watts*min(busy, 1)/60, 150)
	energy := int64(126_272_101_025)
	set(ledger.SignalPower, func() int64 { return (watts + noise(spread)) / 100 * 100 })
	set(ledger.SignalEnergy, func() int64 { energy += watts*60 + noise(spread*40); return energy })
	set(ledger.SignalTemperature, func() int64 { return (35 + busy/4 + noise(1)) * 1000 })
	set(ledger.SignalXID, func() int64 { return 0 })
	set(ledger.SignalThrottle, func() int64 { return int64(r.IntN(10)/9) * 4 * min(busy, 1) })
	for name, mean := range map[ledger.Signal]int64{ledger.SignalPCIeTx: 300_000_000, ledger.SignalPCIeRx: 900_000_000, ledger.SignalNVLinkTx: 40_000_000_000, ledger.SignalNVLinkRx: 40_000_000_000} {
		set(name, func() int64 { return max(mean*busy/100+noise(mean*busy/800), 0) >> 20 << 20 })
	}
	return out
}
