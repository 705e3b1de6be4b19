package slurm

import (
	"strings"
	"testing"

	"gpuledger/internal/ledger"
)

func parse(t testing.TB, text string, o Options) (*ledger.Telemetry, ledger.Reading, error) {
	t.Helper()
	all := &ledger.Telemetry{}
	read, err := Parse(t.Context(), strings.NewReader(text), "jobs.txt", o, func(b *ledger.Telemetry) error {
		all.Workloads = append(all.Workloads, b.Workloads...)
		all.Objects = append(all.Objects, b.Objects...)
		all.Placements = append(all.Placements, b.Placements...)
		all.Sources = append(all.Sources, b.Sources...)
		return nil
	})
	return all, read, err
}
