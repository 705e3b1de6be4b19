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

// SharedPool is a stored pool, so that a share of a closed period can be recomputed: total × weight ÷ Σ weights
// (teams first if they have weights), by largest remainder in units of 1e-12, ties by owner id.
type SharedPool struct {
	share.Shared
	Asked ledger.ID            // the row that the caller named
	From  ledger.ID            // the pool's owner; zero if it had several
	Teams map[ledger.ID]string // of the rows' owners
	// Postings are those that the pool adds up; empty for the discount of a commitment.
	Postings []PooledPosting
}

// PooledPosting is a posting whose cost sharing passes on.
type PooledPosting struct {
	ID   ledger.ID
	Hour period.Second
	Node string // empty: not on a node
	ledger.Costs
}

// readPool reads the stored pool of a share; scoped users get only their own sides. It is nil if no share has that
// id.
func readPool(ctx context.Context, tx pgx.Tx, id ledger.ID) (p *SharedPool, err error) {
	list, err := pg.List[shareRow](ctx, tx, "explain.share", pg.Tenant, id)
	if len(list) == 0 || err != nil {
		return nil, err
	}
	p = &SharedPool{Asked: id, Teams: map[ledger.ID]string{}}
	for i := range list {
		p.add(&list[i])
	}
	return p, nil
}

// figure returns costs in the pool's currency and state.
func (p *SharedPool) figure(c *ledger.Costs) metrics.Figure {
	return figure(c, p.Currency, string(p.State), "")
}

// sharedPool is readPool with the postings that the pool adds up.
func sharedPool(ctx context.Context, tx pgx.Tx, id ledger.ID) (*SharedPool, error) {
	p, err := readPool(ctx, tx, id)
	if p == nil || err != nil || p.Commitment != "" {
		return p, err
	}
	p.Postings, err = pg.List[PooledPosting](ctx, tx, "explain.share_postings", pg.Tenant, p.Day, p.Cluster,
		string(p.Cause), p.Owner, p.BillingAccount, string(p.BillingPeriod), p.Currency, string(p.State))
	return p, err
}

// shareRow is a row of explain.share; the owner in its key is the pool's owner, zero if it had several.
type shareRow struct {
	share.Key
	PoolID, ShareID, Payer   ledger.ID
	Version, Method          string
	Rule                     int
	Kind                     ledger.PostingKind
	ledger.Costs             // of the payer
	Weight, WeightOf         money.Amount
	TeamWeight, TeamWeightOf int64
	Total                    costList
	Team                     string
}

func (p *SharedPool) add(r *shareRow) {
	had := p.Owner
	p.Key, p.ID, p.Rule = r.Key, r.PoolID, share.Rule{Version: r.Version, Place: r.Rule, Method: r.Method}
	if r.Owner.IsZero() {
		if p.Owner = had; r.Kind == ledger.SharedOut {
			p.Total = *r.Total.costs()
		}
	}
	p.From = p.Owner
	p.Teams[r.Payer] = r.Team
	p.Rows = append(p.Rows, share.Row{ID: r.ShareID, Kind: r.Kind, Owner: r.Payer, Costs: r.Costs, Weight: r.Weight,
		WeightOf: r.WeightOf, TeamWeight: r.TeamWeight, TeamWeightOf: r.TeamWeightOf})
}

// SharedPair explains one side of a pair; nil if no share has that id.
func (s *Explainer) SharedPair(ctx context.Context, id ledger.ID) (*SharedPool, error) {
	var p *SharedPool
	err := s.Read(ctx, "explain a pair", func(tx pgx.Tx) (err error) {
		p, err = sharedPool(ctx, tx, id)
		return err
	})
	return p, err
}
