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
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// loadShares reads what was posted to the subject, per part, and the policies
// it was computed with.
func (e *explainer) loadShares(ctx context.Context, name string, args ...any) error {
	e.shares, e.posted = map[ledger.ID]metrics.Figure{}, map[ledger.ID]postedPart{}
	policies := map[string]bool{}
	err := pg.Query(ctx, e.tx, name, func(rows pgx.Rows) error {
		var part ledger.ID
		var f metrics.Figure
		var costs [4]*money.Amount
		var versions []string
		var p postedPart
		err := rows.Scan(&part, &f.Currency, &costs[0], &costs[1], &costs[2], &costs[3], &f.State, &f.Quality, &versions, &p.hour, &p.postings)
		setCosts(&f, costs)
		e.shares[part], e.posted[part] = f, p
		for _, v := range versions {
			policies[v] = true
		}
		return err
	}, append([]any{pg.Tenant}, args...)...)
	for v := range policies {
		e.out.Policies = append(e.out.Policies, v)
	}
	slices.Sort(e.out.Policies)
	return err
}

// setCosts stores effective, billed, list and contracted cost as text.
func setCosts(f *metrics.Figure, costs [4]*money.Amount) {
	for i, to := range []**string{&f.Effective, &f.Billed, &f.List, &f.Contracted} {
		*to = amountText(costs[i])
	}
}

func amountText(a *money.Amount) *string {
	if a == nil {
		return nil
	}
	text := a.String()
	return &text
}

// scanPart reads one row of explain.*parts and adds the subject's share.
func (e *explainer) scanPart(rows pgx.Rows) (metrics.ExplainedPart, NodeHour, error) {
	var p metrics.ExplainedPart
	var at NodeHour
	var part, charge, rate, reverses, replaces, delivery ledger.ID
	var hourly *money.Amount
	var costs, whole [4]*money.Amount
	var line metrics.ChargeLine
	var export, state, kind, month *string
	var from, to *time.Time
	err := rows.Scan(&at.Node, &at.Hour, &part, &p.Number, &p.Kind, &charge, &p.File, &p.Line, &rate, &hourly, &p.Source,
		&p.Method, &p.Quality, &p.Amount.Currency, &costs[0], &costs[1], &costs[2], &costs[3],
		&p.PostingKind, &reverses, &replaces, &export, &delivery, &state, &kind, &line.Usage, &line.Resource, &from, &to, &month,
		&whole[0], &whole[1], &whole[2], &whole[3])
	setCosts(&p.Amount, costs)
	p.Hour, p.PartID, p.ChargeID, p.RateID = at.Hour.Time(), part.String(), idText(charge), idText(rate)
	p.Reverses, p.Replaces = idText(reverses), idText(replaces)
	p.Rate = amountText(hourly)
	p.Share = e.shares[part]
	p.Amount.State, p.Amount.Quality = p.Share.State, p.Quality
	p.Cut = cutOf(&p)
	if from != nil && to != nil {
		line.Delivery, line.Export, line.State, line.Kind, line.Period = delivery.String(), pg.OrEmpty(export), pg.OrEmpty(state), pg.OrEmpty(kind), pg.OrEmpty(month)
		line.From, line.To = from.UTC(), to.UTC()
		line.Amount.Currency = p.Amount.Currency
		setCosts(&line.Amount, whole)
		p.Charge = &line
	}
	return p, at, err
}

// cutOf says how a charge came to its node and hour (docs/rules.md, section 8).
func cutOf(p *metrics.ExplainedPart) string {
	text := map[string]string{
		string(ledger.PartCompute):          "machine time, cut over the hours in which the machine was up",
		string(ledger.PartCommitmentFee):    "fee of a commitment, over its charge period",
		string(ledger.PartCommitmentUnused): "unused part of a commitment",
		string(ledger.PartShared):           "shared cost, over its charge period",
		string(ledger.PartMetered):          "use of a managed service, over its charge period",
		string(ledger.PartNonGPU):           "outside the GPU fleet, at the hour at which it starts",
		string(ledger.PartProvisional):      "no bill yet: rate × observed seconds ÷ 3600",
	}[p.Kind]
	switch {
	case p.Kind == string(ledger.PartProvisional) && p.Method == part.ByPrepaid:
		text = "no bill yet, in capacity that was paid at once: the share of its fee is the cost"
	case p.PostingKind == string(ledger.Amortise):
		text += "; half of a pair that moves prepaid cost to where it was used"
	case p.Reverses != nil:
		text += "; takes back part " + *p.Reverses + " of a closed period"
	case p.Replaces != nil:
		text += "; stands for part " + *p.Replaces + " of a closed period, which is taken back"
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
	return pg.Query(ctx, e.tx, name, func(rows pgx.Rows) error {
		p, _, err := e.scanPart(rows)
		e.out.Whole = append(e.out.Whole, p)
		return err
	}, append([]any{pg.Tenant}, args...)...)
}

// WholeHours are node-hours with all their usage rows and parts.
func WholeHours(ctx context.Context, tx pgx.Tx, hours []NodeHour) ([]metrics.NodeHour, error) {
	e := &explainer{tx: tx, out: &metrics.Explanation{}}
	err := e.nodeHours(ctx, hours, func(ledger.ID, *string) bool { return false }, nil)
	return e.out.NodeHours, err
}

// nodeHours fills in the node-hours: all usage rows in row-key order, which of
// them are the subject's, and the parts they share (only one of them when
// only is set).
func (e *explainer) nodeHours(ctx context.Context, hours []NodeHour, mine func(usage ledger.ID, run *string) bool, only *ledger.ID) error {
	if len(hours) == 0 {
		return nil
	}
	nodes, times := SplitHours(hours)
	place := make(map[NodeHour]int, len(hours))
	for i, h := range hours {
		place[h] = i
	}
	e.out.NodeHours = make([]metrics.NodeHour, 0, len(hours))
	err := pg.Query(ctx, e.tx, "explain.nodes", func(rows pgx.Rows) error {
		n := metrics.NodeHour{Rows: []metrics.WeightedRow{}, Parts: []metrics.ExplainedPart{}}
		var at NodeHour
		err := rows.Scan(&at.Node, &at.Hour, &n.Node, &n.Cluster, &n.Samples, &n.PlacementMinutes)
		n.Hour = at.Hour.Time()
		e.out.NodeHours = append(e.out.NodeHours, n)
		return err
	}, pg.Tenant, nodes, times)
	if err != nil {
		return err
	}
	err = pg.Query(ctx, e.tx, "explain.node_parts", func(rows pgx.Rows) error {
		p, at, err := e.scanPart(rows)
		if i, ok := place[at]; ok && (only == nil || p.PartID == only.String()) {
			e.out.NodeHours[i].Parts = append(e.out.NodeHours[i].Parts, p)
		}
		return err
	}, pg.Tenant, nodes, times)
	if err != nil {
		return err
	}
	keyed, err := e.keyedRows(ctx, hours, mine)
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
		if !slices.ContainsFunc(e.out.NodeHours[i].Parts, func(p metrics.ExplainedPart) bool { return p.Amount.Effective != nil || p.Amount.Billed != nil }) {
			for _, r := range e.out.NodeHours[i].Rows {
				if r.Mine {
					e.out.Unbilled++
				}
			}
		}
	}
	return nil
}

// keyedRows reads the usage rows of node-hours: of those that whoever asks may see.
func (e *explainer) keyedRows(ctx context.Context, hours []NodeHour, mine func(usage ledger.ID, run *string) bool) (map[NodeHour][]keyedRow, error) {
	nodes, times := SplitHours(hours)
	keyed := make(map[NodeHour][]keyedRow, len(hours))
	return keyed, pg.Query(ctx, e.tx, "explain.rows", func(rows pgx.Rows) error {
		r, at, err := scanKeyedRow(rows)
		r.row.Mine = mine(r.usage, r.row.RunID)
		keyed[at] = append(keyed[at], r)
		return err
	}, pg.Tenant, nodes, times)
}

// keyedRow is a usage row with what it is ordered by.
type keyedRow struct {
	row      metrics.WeightedRow
	usage    ledger.ID
	uid      string
	task     string
	num, den *big.Int
	place    int // in the order that was frozen; 0: by the key
}

func scanKeyedRow(rows pgx.Rows) (keyedRow, NodeHour, error) {
	var r keyedRow
	var at NodeHour
	var namespace, pod, num, den string
	err := rows.Scan(&at.Node, &at.Hour, &r.usage, &r.row.Slot, &r.row.Slice, &r.row.Device, &r.row.Profile, &r.uid, &namespace, &pod, &r.row.RunID, &r.row.Attempt, &r.task,
		&r.row.Team, &r.row.Cause, &r.row.Activity, &r.row.Seconds, &r.row.Active, &num, &den, &r.row.Quality, &r.row.Method, &r.row.Final)
	if err != nil {
		return r, at, err
	}
	r.row.UsageID = r.usage.String()
	if pod != "" {
		r.row.Holder = namespace + "/" + pod
	}
	var ok, ok2 bool
	r.num, ok = new(big.Int).SetString(num, 10)
	r.den, ok2 = new(big.Int).SetString(den, 10)
	if !ok || !ok2 || r.den.Sign() <= 0 {
		return r, at, fmt.Errorf("usage row %s has weight %s/%s, which is no rational number", r.row.UsageID, num, den)
	}
	if r.row.Seconds > 0 {
		r.row.PerSecond = new(big.Rat).SetFrac(r.num, new(big.Int).Mul(r.den, big.NewInt(r.row.Seconds))).RatString()
	}
	return r, at, nil
}

// finishRows orders the rows by their key and brings their weights over one
// denominator.
func finishRows(n *metrics.NodeHour, rows []keyedRow) error {
	number := func(p *int, none int) int {
		if p == nil {
			return none
		}
		return *p
	}
	text := func(p *string) string {
		if p == nil {
			return ""
		}
		return *p
	}
	slices.SortFunc(rows, func(a, b keyedRow) int {
		return cmp.Or(
			cmp.Compare(a.place, b.place),
			cmp.Compare(a.row.Slot, b.row.Slot),
			cmp.Compare(number(a.row.Slice, int(ledger.WholeDevice)), number(b.row.Slice, int(ledger.WholeDevice))),
			cmp.Compare(a.uid, b.uid),
			cmp.Compare(text(a.row.RunID), text(b.row.RunID)),
			cmp.Compare(number(a.row.Attempt, 0), number(b.row.Attempt, 0)),
			cmp.Compare(a.task, b.task),
			cmp.Compare(ledger.Cause(a.row.Cause).Order(), ledger.Cause(b.row.Cause).Order()),
			cmp.Compare(ledger.Activity(a.row.Activity).Order(), ledger.Activity(b.row.Activity).Order()),
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
		r.row.Weight = w.String()
		n.Rows = append(n.Rows, r.row)
	}
	return nil
}
