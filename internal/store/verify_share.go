package store

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
)

// shareChecks prove what sharing wrote (docs/rules.md, section 12). They take
// the hours from and to.
var shareChecks = []struct{ name, statement, meaning string }{
	{"pairs of sharing", "verify.share_pairs", "what is passed on and what is received add up to nothing per pool and metric; unknown stays unknown"},
	{"weights of sharing", "verify.share_weights", "each payer's part of a pool is that of his weight"},
	{"owners of sharing", "verify.share_owners", "each side of a pair has its owner"},
}

// verifySharing runs them, and compares pools with their postings.
func verifySharing(ctx context.Context, tx pgx.Tx, report *VerifyReport, hours period.Interval) error {
	for _, c := range shareChecks {
		err := report.add(c.name, c.meaning, CheckFailed, func() ([]string, error) {
			return offenders(ctx, tx, c.statement, tenant, hours.From, hours.To)
		})
		if err != nil {
			return err
		}
	}
	return report.add("pools of sharing", "what is passed on is what the postings of that owner, cause and day are", CheckFailed, func() ([]string, error) {
		fresh, err := sharedDays(ctx, tx)
		if err != nil {
			return nil, err
		}
		return offenders(ctx, tx, "verify.share_pools", tenant, hours.From, hours.To, fresh)
	})
}

// sharedDays are the days of which sharing has read what is stored now.
func sharedDays(ctx context.Context, tx pgx.Tx) ([]period.Second, error) {
	fresh := []period.Second{}
	err := query(ctx, tx, "share.days", func(rows pgx.Rows) error {
		var day period.Second
		var stored, read *string
		if err := rows.Scan(&day, &stored, &read); err != nil {
			return err
		}
		if value(stored) != "" && strings.HasPrefix(value(read), *stored) {
			fresh = append(fresh, day)
		}
		return nil
	}, tenant)
	return fresh, err
}
