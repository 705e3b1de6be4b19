package explain

import (
	"context"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
	"gpuledger/internal/store/report"
	"gpuledger/metrics"
)

const formulaReport = "The figure is the sum of the postings that match the filter and the window, separately for " +
	"each cost; to explain one posting, use posting/ID. " +
	"Unknown costs add nothing; if all of them are unknown, so is the figure."

// mostCells bounds the rows of the report that an explanation repeats.
const mostCells = 200

// report explains figures of a report by the postings behind them.
func (e *explainer) report(ctx context.Context) error {
	if e.levels {
		return e.level(ctx)
	}
	if err := e.reported(ctx); err != nil {
		return err
	}
	q := e.subject.Query
	b := &metrics.Behind{Sums: []metrics.Figure{}, Listed: []metrics.BehindRow{}}
	e.out.Behind = b
	if err := e.addUp(ctx, q, b); err != nil {
		return err
	}
	if err := e.list(ctx, q, b); err != nil {
		return err
	}
	return e.cells(ctx, q, b)
}

// reported reads the figures of the subject's report.
func (e *explainer) reported(ctx context.Context) (err error) {
	whole := e.subject.Query
	e.out.Formula = formulaReport
	whole.GroupBy, whole.Granularity, whole.Order, whole.Limit, whole.Offset, whole.Only = nil, metrics.Total,
		[]metrics.Order{{Column: "currency"}}, 0, 0, nil
	e.out.Figures, err = e.costs(ctx, whole, report.Ask)
	return err
}

func sameText(a, b *string) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}

// addUp reads every posting behind the figure for their sums, count and digest.
func (e *explainer) addUp(ctx context.Context, q metrics.Query, b *metrics.Behind) error {
	t := newTally()
	text, args := report.Behind(q, amountColumns, "")
	err := eachRow(ctx, e.tx, text, args, func(p behindAmounts) error {
		if p.Unbilled {
			b.Unbilled++
			return nil
		}
		t.add(&p)
		return nil
	})
	if err == nil {
		e.tallied(t, b)
	}
	return err
}

// tallied fills in the sums of all postings behind the figure.
func (e *explainer) tallied(t *tally, b *metrics.Behind) {
	b.Count, b.Digest, b.Sums = t.count, t.text(), []metrics.Figure{}
	for i := range e.out.Figures {
		f := &e.out.Figures[i]
		if sum := t.sums[f.Currency]; sum != nil {
			b.Sums = append(b.Sums, sum.figure(f.Currency))
			f.Quality = string(sum.quality)
			delete(t.sums, f.Currency)
		}
	}
	for currency, sum := range t.sums { // the report lacks this currency: the sums do not agree
		b.Sums = append(b.Sums, sum.figure(currency))
	}
	b.Agrees = slices.EqualFunc(e.out.Figures, b.Sums, sameCosts)
}

// list reads the largest postings.
func (e *explainer) list(ctx context.Context, q metrics.Query, b *metrics.Behind) error {
	limit := ""
	if e.listed > 0 {
		limit = " limit " + strconv.Itoa(e.listed)
	}
	text, args := report.Behind(q, behindColumns,
		" and not x_unbilled order by abs("+basisColumn(q)+") desc nulls last, x_id"+limit)
	return eachRow(ctx, e.tx, text, args, func(p behindPosting) error {
		b.Listed = append(b.Listed, p.row())
		return nil
	})
}

// cells repeats the rows of the report if it is grouped by keys or time.
func (e *explainer) cells(ctx context.Context, q metrics.Query, b *metrics.Behind) error {
	if len(q.GroupBy) == 0 && q.Granularity == metrics.Total {
		return nil
	}
	if q.Limit == 0 || q.Limit > mostCells {
		q.Limit = mostCells
	}
	rows, err := report.Ask(ctx, e.tx, q)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		f, all := e.figureOf(rows)
		cell := metrics.ExplainedCell{Keys: map[string]*string{}, Amount: f}
		for _, k := range q.GroupBy {
			cell.Keys[k.Name] = all[k.Name]
		}
		if q.Granularity != metrics.Total {
			cell.Keys["period_start"] = all["period_start"]
		}
		b.Cells = append(b.Cells, cell)
	}
	return rows.Err()
}

// eachRow is pg.Each for the text of a compiled statement.
func eachRow[T any](ctx context.Context, tx pgx.Tx, text string, args []any, f func(T) error) error {
	rows, err := tx.Query(ctx, text, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for each := pg.EachRow(f); rows.Next(); {
		if err := each(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// share explains one side of a pair of sharing.
func (e *explainer) share(ctx context.Context, id ledger.ID) error {
	pool, err := sharedPool(ctx, e.tx, id)
	if err != nil {
		return err
	}
	if pool == nil {
		return &metrics.NotFoundError{Subject: e.out.Subject}
	}
	e.out.Formula = "A payer's amount is pool × (team weight ÷ Σ team weights, if teams come first) × weight ÷ Σ weights, " +
		"in units of 1e-12 by largest remainder, teams by name, owners by id. " +
		"The pool's owner keeps their own share of it; the other side of the pair is the rest, negated."
	out := &metrics.ExplainedPool{PoolID: pool.ID.String(), Day: pool.Day.Time(), Cluster: pool.Cluster,
		Cause: string(pool.Cause), Commitment: pool.Commitment,
		From: idText(pool.From), Total: pool.figure(&pool.Total), Method: string(pool.Rule.Method),
		Rule: pool.Rule.Place, Policy: pool.Rule.Version, Postings: len(pool.Postings)}
	for i := range pool.Rows {
		r := &pool.Rows[i]
		row := metrics.PoolRow{ShareID: r.ID.String(), Kind: string(r.Kind), Owner: r.Owner.String(),
			Team: pool.Teams[r.Owner], Weight: r.Weight.String(), WeightOf: r.WeightOf.String(),
			TeamWeight: r.TeamWeight, TeamWeightOf: r.TeamWeightOf, Amount: pool.figure(&r.Costs), Mine: r.ID == id}
		if row.Mine {
			e.out.Figures = append(e.out.Figures, row.Amount)
		}
		out.Rows = append(out.Rows, row)
	}
	for i := range pool.Postings {
		if e.listed > 0 && i == e.listed {
			break
		}
		p := &pool.Postings[i]
		row := metrics.BehindRow{
			PostingID: p.ID.String(), Hour: p.Hour.Time(), Cause: out.Cause,
			Kind: string(ledger.Direct), Amount: pool.figure(&p.Costs),
		}
		if p.Node != "" {
			row.Node = &p.Node
		}
		out.Listed = append(out.Listed, row)
	}
	e.out.Pool, e.out.Policies = out, []string{out.Policy}
	return nil
}
