package report

import (
	"context"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// unshared notes that an answer after sharing equals the one before, and why. Scoped users get no note: it would
// reveal whether others share costs.
func unshared(ctx context.Context, tx pgx.Tx, q metrics.Query) (notes []string, err error) {
	if q.Sharing != metrics.AfterSharing || access.From(ctx).Bounded() {
		return nil, nil
	}
	is, err := pg.One[struct{ Shared, Ruled bool }](ctx, tx, "report.shares", pg.Tenant)
	switch {
	case err != nil || is.Shared:
		return nil, err
	case is.Ruled:
		return []string{
			"nothing is shared yet, so costs after sharing equal those before: run `gpuledger allocate` to apply the policy's " +
				"rules",
		}, nil
	}
	return []string{"nothing is shared, so costs after sharing equal those before: no policy says who pays for idle " +
		"capacity. Write a document with `redistribute` (docs/answer/policy.md), then `gpuledger policy apply FILE` and " +
		"`gpuledger allocate`"}, nil
}
