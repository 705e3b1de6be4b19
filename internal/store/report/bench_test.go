package report_test

import (
	"testing"

	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// BenchmarkReports runs the queries of pages over 400,000 postings.
func BenchmarkReports(b *testing.B) {
	s := storetest.BigLedger(b)
	ask := func(name, dataset string, o metrics.Options) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				storetest.Table(b, s, dataset, o)
			}
		})
	}
	ask("costs total", "costs", metrics.Options{})
	ask("costs by team and day", "costs", metrics.Options{GroupBy: "team", Granularity: "day"})
	ask("costs by cause of one day", "costs", metrics.Options{GroupBy: "cause", From: "2026-11-04", To: "2026-11-05"})
	ask("costs by pricing", "costs", metrics.Options{GroupBy: "pricing"})
	ask("runs", "runs", metrics.Options{})
	ask("one run", "runs", metrics.Options{Filter: "run = c/ns/Job/run-7"})
	ask("attempts of one run", "attempts", metrics.Options{Filter: "run = c/ns/Job/run-7"})
	ask("first postings", "postings", metrics.Options{Limit: "100"})
	ask("reconciliation", "reconciliation", metrics.Options{})
	b.Run("explain run", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Explain(b.Context(), "run/c/ns/Job/run-7"); err != nil {
				b.Fatal(err)
			}
		}
	})
}
