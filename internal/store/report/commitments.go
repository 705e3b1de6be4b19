package report

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// middle is where the halves of the window meet, which commitments compare; days are kept
// by their halves.
func middle(ctx context.Context, tx pgx.Tx, q metrics.Query) ([]period.Second, error) {
	c := Asking(q, nil)
	text := c.Expand(pg.Statement("report.middle"))
	var at *time.Time
	if err := tx.QueryRow(ctx, text, c.Args...).Scan(&at); err != nil {
		return nil, fmt.Errorf("report.middle: %w", err)
	}
	if at == nil { // nothing is stored
		return nil, nil
	}
	return []period.Second{period.FromTime(*at)}, nil
}
