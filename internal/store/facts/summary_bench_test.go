package facts_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/test/storetest"
)

// BenchmarkSummariseAgain re-reads unchanged hours: the cost of one device's late sample for all other devices.
func BenchmarkSummariseAgain(b *testing.B) {
	s := storetest.New(b)
	r := rand.New(rand.NewPCG(1, 1))
	busy := storetest.NoisyHour(r, 95)
	const devices, hours = 2000, 4
	start := period.MonthOf(storetest.At(1, 0)).From
	for h := range hours {
		x := &ledger.Telemetry{}
		for d := range devices {
			x.Samples = append(x.Samples,
				ledger.SampleHour{Cluster: "c", Node: fmt.Sprintf("node-%04d", d/8),
					Device: fmt.Sprintf("GPU-%08x-f651-4aba-96e4-e183c8%06x", uint32(d)*2654435761, d),
					Index:  int32(d % 8), Model: "NVIDIA H100 80GB HBM3", SliceID: ledger.WholeDevice,
					Hour: start + period.Second(h)*period.Hour, Vectors: busy, RowCount: 960})
		}
		storetest.PublishTelemetry(b, s, x)
	}
	now := start + (hours+2)*period.Hour
	if n, err := s.Summarise(b.Context(), now); err != nil || n != devices*hours {
		b.Fatal(n, err)
	}
	for b.Loop() {
		storetest.Run(b, s.Pool, "insert into stale_hours (tenant_id, hour) "+
			"select distinct tenant_id, hour from sample_hours")
		if n, err := s.Summarise(b.Context(), now); err != nil || n != 0 {
			b.Fatal(n, err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/devices/hours, "µs/device-hour")
}
