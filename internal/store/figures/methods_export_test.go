package figures

import (
	"context"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
)

// AnalysisDay runs a step that the test defines.
func (s *Figures) AnalysisDay(ctx context.Context, step string, day period.Second, f func(tx pgx.Tx) error) error {
	return s.analysisDay(ctx, step, day, f)
}
