package book

import (
	"context"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// StoredDays lists every computed node-day inside within, node by node with
// days ascending; zero bounds are open.
func (s *Book) StoredDays(ctx context.Context, within period.Interval) ([]posting.DirtyNode, error) {
	return s.nodeDays(ctx, "trial.days", within)
}

// Totals adds up the ledger inside within by team, cause and currency, without
// what is final: no policy moves that.
func (s *Book) Totals(ctx context.Context, within period.Interval) ([]metrics.TrialRow, error) {
	var list []metrics.TrialRow
	err := pg.Query(ctx, s.Pool, "trial.totals", func(rows pgx.Rows) error {
		var r metrics.TrialRow
		if err := rows.Scan(&r.Team, &r.Cause, &r.Currency, &r.Effective.Now, &r.Billed.Now, &r.GPUHours.Now); err != nil {
			return err
		}
		list = append(list, r)
		return nil
	}, pg.Tenant, openBound(within.From), openBound(within.To))
	return list, err
}

// TeamsOf names the teams of owners that are stored.
func (s *Book) TeamsOf(ctx context.Context, owners []ledger.ID) (map[ledger.ID]string, error) {
	teams := map[ledger.ID]string{}
	err := pg.Query(ctx, s.Pool, "trial.teams", func(rows pgx.Rows) error {
		var id ledger.ID
		var team string
		err := rows.Scan(&id, &team)
		teams[id] = team
		return err
	}, pg.Tenant, owners)
	return teams, err
}

// openBound is a bound of a window as SQL takes it; 0 is open.
func openBound(at period.Second) *period.Second {
	if at == 0 {
		return nil
	}
	return &at
}
