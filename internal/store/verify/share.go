package verify

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// shareChecks check the pairs of sharing (docs/rules.md, section 12). Their parameters are the hours from and to.
var shareChecks = []struct{ name, statement, meaning string }{
	{
		"pairs of sharing", "verify.share_pairs",
		"costs passed on and costs received add up to zero per pool and metric; unknown stays unknown",
	},
	{"weights of sharing", "verify.share_weights", "each payer's share of a pool follows from the payer's weight"},
	{"owners of sharing", "verify.share_owners", "each side of a pair has its owner"},
}

// ofSharing are shareChecks, and the check that pools equal their postings.
func ofSharing(hours period.Interval) []invariant {
	var list []invariant
	for _, c := range shareChecks {
		list = append(list, byStatement(c.name, c.meaning, c.statement, pg.Tenant, hours.From, hours.To))
	}
	return append(list, invariant{"pools of sharing", "the cost passed on equals the postings of that owner, cause " +
		"and day", CheckFailed,
		func(ctx context.Context, tx pgx.Tx) ([]string, error) {
			fresh, err := sharedDays(ctx, tx)
			if err != nil {
				return nil, err
			}
			return offenders(ctx, tx, "verify.share_pools", pg.Tenant, hours.From, hours.To, fresh)
		}})
}

// sharedDays are the days for which sharing has read the rows that are stored now.
func sharedDays(ctx context.Context, tx pgx.Tx) ([]period.Second, error) {
	days, err := pg.List[struct {
		Day          period.Second
		Stored, Read string
	}](ctx, tx, "share.days", pg.Tenant)
	fresh := []period.Second{}
	for _, d := range days {
		if d.Stored != "" && strings.HasPrefix(d.Read, d.Stored) {
			fresh = append(fresh, d.Day)
		}
	}
	return fresh, err
}
