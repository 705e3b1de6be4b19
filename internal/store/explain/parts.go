package explain

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/allocation/part"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// loadShares reads the amounts posted to the subject, per part, and the policy versions that they were computed with.
func (e *explainer) loadShares(ctx context.Context, name string, args ...any) error {
	e.shares, e.posted = map[ledger.ID]metrics.Figure{}, map[ledger.ID]postedPart{}
	policies := map[string]bool{}
	list, err := pg.List[struct {
		PartID                   ledger.ID
		Hour                     period.Second
		Currency, State, Quality string
		ledger.Costs
		Versions []string
		Postings int64
	}](ctx, e.tx, name, append([]any{pg.Tenant}, args...)...)
	for i := range list {
		p := &list[i]
		e.shares[p.PartID] = figure(&p.Costs, p.Currency, p.State, p.Quality)
		e.posted[p.PartID] = postedPart{p.Hour, p.Postings}
		for _, v := range p.Versions {
			policies[v] = true
		}
	}
	for v := range policies {
		e.out.Policies = append(e.out.Policies, v)
	}
	slices.Sort(e.out.Policies)
	return err
}

// figure returns the costs as text.
func figure(c *ledger.Costs, currency, state, quality string) metrics.Figure {
	return metrics.Figure{Currency: currency, State: state, Quality: quality, Effective: amountText(c.Effective),
		Billed: amountText(c.Billed), List: amountText(c.List), Contracted: amountText(c.Contracted)}
}

// costList holds costs in the order of ledger.Metrics. It is an array because a row can embed ledger.Costs only once.
type costList []*money.Amount

func (l costList) costs() *ledger.Costs {
	var c ledger.Costs
	for i, a := range l {
		c.Set(ledger.Metrics[i], a)
	}
	return &c
}

func amountText(a *money.Amount) *string {
	if a == nil {
		return nil
	}
	text := a.String()
	return &text
}

// partRow is a row of explain.*parts. Its last columns describe the bill line, and are NULL if the part has none.
type partRow struct {
	NodeHour
	metrics.ExplainedPart
	Currency string
	ledger.Costs
	Export, Delivery, LineState, LineKind, Usage, Resource, Period *string
	From, To                                                       *time.Time
	Whole                                                          costList // of the bill line
}

// part returns the part with the subject's share.
func (e *explainer) part(r *partRow) (metrics.ExplainedPart, error) {
	p := r.ExplainedPart
	id, err := ledger.ParseID(p.PartID)
	p.Hour, p.Share, p.Cut = r.NodeHour.Hour.Time(), e.shares[id], cutOf(&p)
	p.Amount = figure(&r.Costs, r.Currency, p.Share.State, p.Quality)
	if r.From != nil && r.To != nil {
		p.Charge = &metrics.ChargeLine{Delivery: pg.OrEmpty(r.Delivery), Export: pg.OrEmpty(r.Export),
			State: pg.OrEmpty(r.LineState), Kind: pg.OrEmpty(r.LineKind), Usage: r.Usage, Resource: r.Resource,
			From: *r.From, To: *r.To, Period: pg.OrEmpty(r.Period), Amount: figure(r.Whole.costs(), r.Currency, "", "")}
	}
	return p, err
}

// cutOf describes how a charge came to its node and hour (docs/rules.md, section 8).
func cutOf(p *metrics.ExplainedPart) string {
	text := map[string]string{
		string(ledger.PartCompute):          "machine time, split over the hours in which the machine was up",
		string(ledger.PartCommitmentFee):    "commitment fee, spread over its charge period",
		string(ledger.PartCommitmentUnused): "unused part of a commitment",
		string(ledger.PartShared):           "shared cost, spread over its charge period",
		string(ledger.PartMetered):          "usage of a managed service, spread over its charge period",
		string(ledger.PartNonGPU):           "outside the GPU fleet, booked in the hour in which it starts",
		string(ledger.PartProvisional):      "no bill yet: rate × observed seconds ÷ 3600",
	}[p.Kind]
	switch {
	case p.Kind == string(ledger.PartProvisional) && p.Method == part.ByPrepaid:
		text = "no bill yet, but the capacity is prepaid: its share of the fee is the cost"
	case p.PostingKind == string(ledger.Amortise):
		text += "; one side of a pair that moves prepaid cost to the hours that used it"
	case p.Reverses != nil:
		text += "; reverses part " + *p.Reverses + " of a closed period"
	case p.Replaces != nil:
		text += "; replaces part " + *p.Replaces + " of a closed period, which is reversed"
	}
	return text + "; by " + p.Method
}

func idText(id ledger.ID) *string {
	if id.IsZero() {
		return nil
	}
	text := id.String()
	return &text
}

func (e *explainer) wholeParts(ctx context.Context, name string, args ...any) error {
	return pg.Each(ctx, e.tx, name, func(r partRow) error {
		p, err := e.part(&r)
		e.out.Whole = append(e.out.Whole, p)
		return err
	}, append([]any{pg.Tenant}, args...)...)
}

// WholeHours returns node-hours with all their usage rows and parts.
func WholeHours(ctx context.Context, tx pgx.Tx, hours []NodeHour) ([]metrics.NodeHour, error) {
	e := &explainer{tx: tx, out: &metrics.Explanation{}}
	err := e.nodeHours(ctx, hours, nobodys, nil)
	return e.out.NodeHours, err
}

func nobodys(ledger.ID, *string) bool { return false }

// nodeHours fills in the node-hours: all usage rows in row-key order, marked if they are the subject's, and the parts
// that these rows share (one part alone if only is set).
func (e *explainer) nodeHours(
	ctx context.Context, hours []NodeHour, mine func(usage ledger.ID, run *string) bool, only *ledger.ID,
) error {
	if len(hours) == 0 {
		return nil
	}
	nodes, times := SplitHours(hours)
	place := make(map[NodeHour]int, len(hours))
	for i, h := range hours {
		place[h] = i
	}
	machines, err := pg.List[struct {
		Node, Cluster             string
		Hour                      time.Time
		Samples, PlacementMinutes int64
	}](ctx, e.tx, "explain.nodes", pg.Tenant, nodes, times)
	if err != nil {
		return err
	}
	e.out.NodeHours = make([]metrics.NodeHour, 0, len(hours))
	for _, m := range machines {
		e.out.NodeHours = append(e.out.NodeHours, metrics.NodeHour{Node: m.Node, Cluster: m.Cluster, Hour: m.Hour,
			Samples: m.Samples, PlacementMinutes: m.PlacementMinutes,
			Rows: []metrics.WeightedRow{}, Parts: []metrics.ExplainedPart{}})
	}
	err = pg.Each(ctx, e.tx, "explain.node_parts", func(r partRow) error {
		p, err := e.part(&r)
		if i, ok := place[r.NodeHour]; ok && (only == nil || p.PartID == only.String()) {
			e.out.NodeHours[i].Parts = append(e.out.NodeHours[i].Parts, p)
		}
		return err
	}, pg.Tenant, nodes, times)
	if err != nil {
		return err
	}
	keyed, err := keyedRows(ctx, e.tx, hours, mine)
	if err != nil {
		return err
	}
	frozen, err := frozenEvidence(ctx, e.tx, hours)
	if err != nil {
		return err
	}
	for i, hour := range hours {
		if err := finishRows(&e.out.NodeHours[i], asFrozen(keyed[hour], frozen[hour])); err != nil {
			return err
		}
		if !slices.ContainsFunc(e.out.NodeHours[i].Parts, func(p metrics.ExplainedPart) bool {
			return p.Amount.Effective != nil || p.Amount.Billed != nil
		}) {
			for _, r := range e.out.NodeHours[i].Rows {
				if r.Mine {
					e.out.Unbilled++
				}
			}
		}
	}
	return nil
}

// keyedRows reads the usage rows of node-hours that the user may see.
func keyedRows(
	ctx context.Context, tx pgx.Tx, hours []NodeHour, mine func(usage ledger.ID, run *string) bool,
) (map[NodeHour][]keyedRow, error) {
	nodes, times := SplitHours(hours)
	keyed := make(map[NodeHour][]keyedRow, len(hours))
	return keyed, pg.Each(ctx, tx, "explain.rows", func(r keyedRow) error {
		r.mine = mine(r.Usage, r.RunID)
		err := r.weigh()
		keyed[r.NodeHour] = append(keyed[r.NodeHour], r)
		return err
	}, pg.Tenant, nodes, times)
}

// keyedRow is a usage row with its sort key.
type keyedRow struct {
	NodeHour
	metrics.ExplainedUsage
	Usage                ledger.ID
	UID, Task            string
	WeightNum, WeightDen string
	mine                 bool
	num, den             *big.Int
	place                int // in the frozen order; 0: sort by the key
}

func (r *keyedRow) weigh() error {
	var ok, ok2 bool
	r.num, ok = new(big.Int).SetString(r.WeightNum, 10)
	r.den, ok2 = new(big.Int).SetString(r.WeightDen, 10)
	if !ok || !ok2 || r.den.Sign() <= 0 {
		return fmt.Errorf("usage row %s has weight %s/%s, which is not a rational number", r.UsageID, r.WeightNum,
			r.WeightDen)
	}
	return nil
}

func (r *keyedRow) perSecond() string {
	if r.Seconds <= 0 {
		return ""
	}
	return new(big.Rat).SetFrac(r.num, new(big.Int).Mul(r.den, big.NewInt(r.Seconds))).RatString()
}

// finishRows orders the rows by their key and gives their weights a common denominator.
func finishRows(n *metrics.NodeHour, rows []keyedRow) error {
	number := func(p *int, none int) int {
		if p == nil {
			return none
		}
		return *p
	}
	slices.SortFunc(rows, func(a, b keyedRow) int {
		return cmp.Or(
			cmp.Compare(a.place, b.place),
			cmp.Compare(a.Slot, b.Slot),
			cmp.Compare(number(a.Slice, int(ledger.WholeDevice)), number(b.Slice, int(ledger.WholeDevice))),
			cmp.Compare(a.UID, b.UID),
			cmp.Compare(pg.OrEmpty(a.RunID), pg.OrEmpty(b.RunID)),
			cmp.Compare(number(a.Attempt, 0), number(b.Attempt, 0)),
			cmp.Compare(a.Task, b.Task),
			cmp.Compare(ledger.Cause(a.Cause).Order(), ledger.Cause(b.Cause).Order()),
			cmp.Compare(ledger.Activity(a.Activity).Order(), ledger.Activity(b.Activity).Order()),
		)
	})
	common := big.NewInt(1)
	for _, r := range rows {
		gcd := new(big.Int).GCD(nil, nil, common, r.den)
		common.Mul(common, new(big.Int).Quo(r.den, gcd))
	}
	n.Denominator = common.String()
	for _, r := range rows {
		w := new(big.Int).Mul(r.num, new(big.Int).Quo(common, r.den))
		n.Rows = append(n.Rows,
			metrics.WeightedRow{ExplainedUsage: r.ExplainedUsage, Weight: w.String(), Mine: r.mine, PerSecond: r.perSecond()})
	}
	return nil
}
