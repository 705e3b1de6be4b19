package store

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// Explain shows how the cost of "run/ID", "posting/ID" or "charge/ID" follows
// from bill lines and usage. It reads one snapshot of the ledger. It returns a
// *metrics.NotFoundError when the ledger does not hold the subject.
func (s *Store) Explain(ctx context.Context, subject string) (*metrics.Explanation, error) {
	kind, id, _ := strings.Cut(subject, "/")
	explain := map[string]func(*explainer, context.Context, string) error{
		"run": (*explainer).run, "posting": (*explainer).posting, "charge": (*explainer).charge,
	}[kind]
	if explain == nil || id == "" {
		return nil, &metrics.OptionError{Option: "subject", Value: subject, Reason: "must be run/ID, posting/ID or charge/ID"}
	}
	e := &explainer{out: &metrics.Explanation{Subject: subject, NodeHours: []metrics.NodeHour{}, Whole: []metrics.ExplainedPart{}}}
	err := pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		e.tx = tx
		return explain(e, ctx, id)
	})
	if err != nil {
		return nil, fmt.Errorf("explain %s: %w", subject, err)
	}
	return e.out, nil
}

type explainer struct {
	tx     pgx.Tx
	out    *metrics.Explanation
	shares map[ledger.ID]metrics.Figure
}

// nodeHour is where a usage row and a compute part meet.
type nodeHour struct {
	node ledger.ID
	hour period.Second
}

const (
	formulaSplit = "Every part of a node-hour is split over all usage rows of that node-hour in the order of the row key: " +
		"share = part × weight ÷ Σ weights, each of the four costs on its own, in units of 1e-12 by largest remainder " +
		"(equal remainders: first row), digits below 1e-12 whole to the largest share."
	formulaRun     = formulaSplit + " The run's cost is the sum of the shares of its own rows over all parts and all its attempts, plus the whole parts."
	formulaPosting = formulaSplit + " The posting is the share of one row of one part."
	formulaWhole   = "The posting is the whole part: no usage row receives it."
	formulaCharge  = "The charge is the sum of its parts; each part is posted without rest."
)

var rowKey = []string{"slot", "slice (none first)", "workload uid (none first)", "run_id", "attempt", "task", "cause in the ledger's order", "activity: active, idle, unknown"}

func (e *explainer) run(ctx context.Context, id string) error {
	q, err := metrics.Parse("runs", metrics.Options{Filter: "run_id = '" + strings.ReplaceAll(id, "'", "''") + "'"})
	if err != nil {
		return &metrics.NotFoundError{Subject: e.out.Subject}
	}
	if err := e.figures(ctx, q); err != nil {
		return err
	}
	if len(e.out.Figures) == 0 {
		return &metrics.NotFoundError{Subject: e.out.Subject}
	}
	e.out.Formula, e.out.Columns = formulaRun, rowKey
	if err := e.loadShares(ctx, "explain.run_shares", id); err != nil {
		return err
	}
	err = query(ctx, e.tx, "explain.run_splits", func(rows pgx.Rows) error {
		var split metrics.ProviderSplit
		var used, unused *money.Amount
		err := rows.Scan(&split.Resource, &split.Currency, &used, &unused, &split.Rows)
		split.Used, split.Unused = amountText(used), amountText(unused)
		e.out.ProviderSplit = append(e.out.ProviderSplit, split)
		return err
	}, tenant, id)
	if err != nil {
		return err
	}
	var hours []nodeHour
	err = query(ctx, e.tx, "explain.run_hours", func(rows pgx.Rows) error {
		var h nodeHour
		hours = append(hours, h)
		return rows.Scan(&hours[len(hours)-1].node, &hours[len(hours)-1].hour)
	}, tenant, id)
	if err != nil {
		return err
	}
	err = e.nodeHours(ctx, hours, func(usage ledger.ID, run *string) bool { return run != nil && *run == id }, nil)
	if err != nil {
		return err
	}
	var parts []ledger.ID
	var at []period.Second
	err = query(ctx, e.tx, "explain.run_whole", func(rows pgx.Rows) error {
		parts, at = append(parts, ledger.ID{}), append(at, 0)
		return rows.Scan(&parts[len(parts)-1], &at[len(at)-1])
	}, tenant, id)
	if err != nil || len(parts) == 0 {
		return err
	}
	return e.wholeParts(ctx, "explain.parts", parts, at)
}

// figures takes the figure of the runs report, so that both are the same.
func (e *explainer) figures(ctx context.Context, q metrics.Query) error {
	text, args := compile(q)
	pgRows, err := e.tx.Query(ctx, text, args...)
	if err != nil {
		return err
	}
	rows := newReportRows("runs", q.Columns(), pgRows)
	defer rows.Close()
	for rows.Next() {
		cell := map[string]*string{}
		for i, v := range rows.Values() {
			if v.Valid {
				text := v.String(rows.cols[i].Kind)
				cell[rows.cols[i].Name] = &text
			}
		}
		f := metrics.Figure{Effective: cell["effective_cost"], Billed: cell["billed_cost"], List: cell["list_cost"], Contracted: cell["contracted_cost"]}
		for name, to := range map[string]*string{"currency": &f.Currency, "state": &f.State, "quality": &f.Quality} {
			if v := cell[name]; v != nil {
				*to = *v
			}
		}
		e.out.Figures = append(e.out.Figures, f)
	}
	return rows.Err()
}

func (e *explainer) posting(ctx context.Context, text string) error {
	id, err := ledger.ParseID(text)
	if err != nil {
		return &metrics.OptionError{Option: "subject", Value: e.out.Subject, Reason: err.Error()}
	}
	var hour period.Second
	var part, usage, node ledger.ID
	err = e.tx.QueryRow(ctx, statement("explain.posting"), tenant, id).Scan(&hour, &part, &usage, &node)
	if errors.Is(err, pgx.ErrNoRows) {
		return &metrics.NotFoundError{Subject: e.out.Subject}
	}
	if err != nil {
		return err
	}
	if err := e.loadShares(ctx, "explain.posting_shares", id, hour); err != nil {
		return err
	}
	e.out.Figures = append(e.out.Figures, e.shares[part])
	if usage.IsZero() {
		e.out.Formula = formulaWhole
		return e.wholeParts(ctx, "explain.parts", []ledger.ID{part}, []period.Second{hour})
	}
	e.out.Formula, e.out.Columns = formulaPosting, rowKey
	return e.nodeHours(ctx, []nodeHour{{node, hour}}, func(u ledger.ID, _ *string) bool { return u == usage }, &part)
}

func (e *explainer) charge(ctx context.Context, text string) error {
	id, err := ledger.ParseID(text)
	if err != nil {
		return &metrics.OptionError{Option: "subject", Value: e.out.Subject, Reason: err.Error()}
	}
	var delivery ledger.ID
	var costs [4]*money.Amount
	f := metrics.Figure{State: string(ledger.Open), Quality: string(ledger.Measured)}
	err = e.tx.QueryRow(ctx, statement("explain.charge"), tenant, id).
		Scan(&delivery, &f.Currency, &costs[0], &costs[1], &costs[2], &costs[3])
	if errors.Is(err, pgx.ErrNoRows) {
		return &metrics.NotFoundError{Subject: e.out.Subject}
	}
	if err != nil {
		return err
	}
	setCosts(&f, costs)
	e.out.Figures, e.out.Formula = append(e.out.Figures, f), formulaCharge
	if err := e.loadShares(ctx, "explain.charge_shares", delivery, id); err != nil {
		return err
	}
	return e.wholeParts(ctx, "explain.charge_parts", delivery, id)
}
