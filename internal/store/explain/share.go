package explain

import (
	"context"

	"github.com/jackc/pgx/v5"

	"gpuledger/allocation/share"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// SharedPool is a pool as it was passed on, from what is stored of it, so that
// a share of a closed period can be recomputed: total × weight ÷ Σ weights
// (teams first where they have weights), by largest remainder in units of
// 1e-12, ties by owner id.
type SharedPool struct {
	share.Shared
	Asked ledger.ID            // the row that was asked for
	From  ledger.ID            // who had it; zero where several did
	Teams map[ledger.ID]string // of the rows' owners
	// Postings are what the pool adds up; empty for the discount of a commitment.
	Postings []PooledPosting
}

// PooledPosting is a posting of which sharing passes the cost on.
type PooledPosting struct {
	ID   ledger.ID
	Hour period.Second
	Node string // empty: of no node
	ledger.Costs
}

// readPool reads what is stored of the pool of a share, for who sees a part of the books
// his sides of it; nil where there is none of that id.
func readPool(ctx context.Context, tx pgx.Tx, id ledger.ID) (p *SharedPool, err error) {
	err = pg.Query(ctx, tx, "explain.share", func(rows pgx.Rows) error {
		if p == nil {
			p = &SharedPool{Asked: id, Teams: map[ledger.ID]string{}}
		}
		return p.scan(rows)
	}, pg.Tenant, id)
	return p, err
}

// figure are costs of the pool's currency and state.
func (p *SharedPool) figure(c *ledger.Costs) metrics.Figure {
	f := metrics.Figure{Currency: p.Currency, State: string(p.State)}
	setCosts(&f, [4]*money.Amount{c.Effective, c.Billed, c.List, c.Contracted})
	return f
}

// sharedPool is readPool with the postings that the pool adds up.
func sharedPool(ctx context.Context, tx pgx.Tx, id ledger.ID) (*SharedPool, error) {
	p, err := readPool(ctx, tx, id)
	if p == nil || err != nil || p.Commitment != "" {
		return p, err
	}
	err = pg.Query(ctx, tx, "explain.share_postings", func(rows pgx.Rows) error {
		var v PooledPosting
		var node *string
		err := rows.Scan(&v.ID, &v.Hour, &node, &v.Effective, &v.Billed, &v.List, &v.Contracted)
		v.Node = pg.OrEmpty(node)
		p.Postings = append(p.Postings, v)
		return err
	}, pg.Tenant, p.Day, p.Cluster, string(p.Cause), p.Owner, p.BillingAccount, string(p.BillingPeriod), p.Currency, string(p.State))
	return p, err
}

func (p *SharedPool) scan(rows pgx.Rows) error {
	var r share.Row
	var from *ledger.ID
	var month, commitment *string
	var teamWeight, teamOf *int64
	var total ledger.Costs
	var team string
	if err := rows.Scan(&p.Day, &p.ID, &p.Cluster, &p.Cause, &p.BillingAccount, &month, &p.Currency, &p.State, &commitment,
		&p.Rule.Version, &p.Rule.Method, &p.Rule.Place, &r.ID, &r.Kind, &r.Owner, &from,
		&r.Effective, &r.Billed, &r.List, &r.Contracted, &r.Weight, &r.WeightOf, &teamWeight, &teamOf,
		&total.Effective, &total.Billed, &total.List, &total.Contracted, &team); err != nil {
		return err
	}
	p.BillingPeriod, p.Commitment = period.Month(pg.OrEmpty(month)), pg.OrEmpty(commitment)
	if teamWeight != nil && teamOf != nil {
		r.TeamWeight, r.TeamWeightOf = *teamWeight, *teamOf
	}
	switch {
	case from != nil:
		p.Owner = *from
	case r.Kind == ledger.SharedOut:
		p.Total = total
	}
	p.From = p.Owner
	p.Teams[r.Owner] = team
	p.Rows = append(p.Rows, r)
	return nil
}

// SharedPair explains one side of a pair: nil where there is none of that id.
func (s *Explainer) SharedPair(ctx context.Context, id ledger.ID) (*SharedPool, error) {
	var p *SharedPool
	err := s.Read(ctx, "explain a pair", func(tx pgx.Tx) (err error) {
		p, err = sharedPool(ctx, tx, id)
		return err
	})
	return p, err
}
