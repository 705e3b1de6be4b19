package figures

import (
	"context"

	"gpuledger/internal/star"
)

// FigureStatistics are the tables derived from the ledger.
var FigureStatistics = append(starTables(), "findings", "finding_costs", "waste_days", "spot_rates", "on_demand_hours",
	"spot_interruptions", "spot_hits", "serving_hours",
	"request_use", "recommendations")

// starTables are the tables of all facts.
func starTables() (names []string) {
	for _, f := range star.Facts {
		for _, t := range f.Tables() {
			names = append(names, t.Name())
		}
	}
	return names
}

// RefreshFigures refreshes the statistics of the tables derived from the ledger.
func (s *Figures) RefreshFigures(ctx context.Context) error { return s.Refresh(ctx, FigureStatistics) }
