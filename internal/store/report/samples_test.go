package report_test

import (
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// A page of samples reads only the hours that it shows.
func TestAPageOfSamplesReadsAPage(t *testing.T) {
	s := storetest.New(t)
	var m ledger.Minutes
	minutes.Set(&m, 0, 1000, 900_000)
	storetest.PublishTelemetry(t, s, &ledger.Telemetry{Samples: []ledger.SampleHour{{
		Cluster: "prod", Node: "node-1", Device: "GPU-1",
		SliceID: ledger.WholeDevice, Hour: storetest.Second("2026-11-01T00"),
		Vectors: map[ledger.Signal]ledger.Minutes{ledger.SignalGrEngine: m}, RowCount: 1,
	}}})
	if _, err := s.Summarise(t.Context(), 4_000_000_000); err != nil {
		t.Fatal(err)
	}
	storetest.Run(t, s.Pool, `insert into sample_places (tenant_id, place_id, cluster, device, slice_id, profile, node,
		  device_index, model)
		select tenant_id, 100 * n + place_id, cluster, 'GPU-' || n, slice_id, profile, node, device_index, model
		from sample_places, generate_series(2, 40) n`)
	storetest.Run(t, s.Pool, `insert into sample_summaries select s.tenant_id, p.place_id, s.hour + n * interval '1 hour',
		s.source, s.figures, s.sketches
		from sample_summaries s, sample_places p, generate_series(1, 600) n`)
	storetest.Run(t, s.Pool, "analyze sample_summaries, sample_places, sample_signals")
	q, err := metrics.Parse("samples", metrics.Options{Limit: "101"})
	if err != nil {
		t.Fatal(err)
	}
	reads, err := s.Reads(t.Context(), q)
	if n := reads["sample_summaries_202611"]; err != nil || n == 0 || n > 500 {
		t.Errorf("101 rows of 24,001 are made of %v, %v", reads, err)
	}
}
