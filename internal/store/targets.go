package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// SaveTargets implements analysis.TargetStore.
func (s *Store) SaveTargets(ctx context.Context, step string, day period.Second) (rows int64, err error) {
	err = s.analysisDay(ctx, step, day, func(tx pgx.Tx) error {
		for _, name := range []string{"target.forget", "target.fleet", "target.training", "target.units"} {
			n, err := exec(ctx, tx, name, tenant, day)
			if err != nil {
				return err
			}
			rows += n
		}
		return nil
	})
	return rows, err
}

// targetValues are the bounds of metrics.Targets as rows.
func targetValues() string {
	bound := func(text string) string {
		if text == "" {
			return "null::numeric"
		}
		return text + "::numeric"
	}
	var rows []string
	for _, t := range metrics.Targets {
		rows = append(rows, fmt.Sprintf("('%s', '%s', %s, %s, %s, %s)", t.Name, strings.ReplaceAll(t.String(), "'", "''"), bound(t.AtLeast), bound(t.AtMost), bound(t.ActBelow), bound(t.ActAbove)))
	}
	return "(values " + strings.Join(rows, ", ") + ") t (target, goal, at_least, at_most, act_below, act_above)"
}
