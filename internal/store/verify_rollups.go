package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
)

// verifyRollUps proves that what reports are read from in place of the ledger is
// what the ledger says. Days that analysis has not added up since they changed
// are not read by reports, and not checked.
func verifyRollUps(ctx context.Context, tx pgx.Tx, report *VerifyReport, hours period.Interval) error {
	for _, c := range []struct {
		name, statement, meaning string
		args                     []any
	}{
		{"roll-ups of days", "verify.rollup_days", "each day that was added up is what the ledger says of it, by grain, cause, currency and state", []any{grainNumbers()}},
		{"roll-ups of months", "verify.rollup_months", "each month that was added up is what its days are, by grain and group", nil},
		{"days of runs", "verify.run_days", "what each run is read from by day is what the ledger says of it, by cause, currency and state", nil},
	} {
		args := append([]any{tenant, hours.From, hours.To}, c.args...)
		if err := report.add(c.name, c.meaning, CheckFailed, func() ([]string, error) { return offenders(ctx, tx, c.statement, args...) }); err != nil {
			return err
		}
	}
	return nil
}
