package explain

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/internal/store/report"
	"gpuledger/metrics"
)

// fewPostings are listed one by one.
const fewPostings = 25

// billRow is a row of lines with what it is found by.
type billRow struct {
	metrics.LevelLine
	charge, part *ledger.ID
	posting      ledger.ID
	hour         period.Second
}

// lineColumns group postings by bill line; without one by part, and by side of a pair.
const lineColumns = "x_charge, case when x_charge is null then coalesce(x_part, x_id) end as x_other, x_currency, " +
	"sum(x_effective), sum(x_billed), sum(x_list), sum(x_contracted), max(x_state), min(x_cause), max(x_cause), min(x_kind), " +
	"min(x_hour), max(x_hour), count(*), (array_agg(x_part order by x_hour, x_id))[1], " +
	"(array_agg(x_id order by x_hour, x_id))[1], count(*) over (), sum(count(*)) over (), " +
	"sum(sum(x_effective)) over w, sum(sum(x_billed)) over w, sum(sum(x_list)) over w, sum(sum(x_contracted)) over w"

// lines reads a page of the figure's bill lines, where the window is short enough.
func (e *explainer) lines(ctx context.Context, window period.Interval) error {
	q := e.subject.Query
	if window.From == 0 || int64(window.To-window.From) > lineSpan || q.AsOf != 0 || !q.Statement.IsZero() {
		return nil
	}
	var postings int64
	first := window.From.Floor(period.Day)
	err := e.tx.QueryRow(ctx, pg.Statement("explain.posted_rows"), pg.Tenant, first, window.To).Scan(&postings)
	if err != nil {
		return fmt.Errorf("explain.posted_rows: %w", err)
	}
	if postings > lineRows && int64(window.To-window.From) > period.Hour {
		return e.cut(ctx, metrics.Options{Granularity: string(metrics.Hour)}, e.first)
	}
	q.Window = window
	out := &metrics.LevelLines{Rows: []metrics.LevelLine{}, First: e.first, Agrees: true}
	list, err := e.billRows(ctx, q, out)
	if err != nil {
		return err
	}
	if err := e.nameLines(ctx, list); err != nil {
		return err
	}
	for i := range list {
		out.Rows = append(out.Rows, list[i].LevelLine)
	}
	e.out.Level.Lines = out
	if out.Postings <= fewPostings && out.Postings > 0 {
		var listed metrics.Behind
		if err := e.list(ctx, q, &listed); err != nil {
			return err
		}
		out.Listed = listed.Listed
	}
	return nil
}

func (e *explainer) billRows(ctx context.Context, q metrics.Query, out *metrics.LevelLines) (list []billRow, err error) {
	tail := fmt.Sprintf(" and not x_unbilled group by x_charge, x_other, x_currency"+
		" window w as (partition by x_currency) order by abs(sum(%s)) desc nulls last, x_charge, x_other limit %d offset %d", basisColumn(q), levelRows, e.first)
	text, args := report.Behind(q, lineColumns, tail)
	err = eachRow(ctx, e.tx, text, args, func(rows pgx.Rows) error {
		var r billRow
		var other *ledger.ID
		var costs, sums [4]*money.Amount
		var least, most, currency *string
		var last period.Second
		err := rows.Scan(&r.charge, &other, &currency, &costs[0], &costs[1], &costs[2], &costs[3], &r.Amount.State,
			&least, &most, &r.Kind, &r.hour, &last, &r.Postings, &r.part, &r.posting,
			&out.Count, &out.Postings, &sums[0], &sums[1], &sums[2], &sums[3])
		if err != nil {
			return err
		}
		if pg.OrEmpty(least) == pg.OrEmpty(most) {
			r.Cause = least
		}
		r.From, r.To = r.hour.Time(), (last + period.Hour).Time()
		r.Amount.Currency = pg.OrEmpty(currency)
		setCosts(&r.Amount, costs)
		sum := metrics.Figure{Currency: r.Amount.Currency}
		setCosts(&sum, sums)
		out.Agrees = out.Agrees && slices.ContainsFunc(e.out.Figures, func(f metrics.Figure) bool {
			return sameCosts(f, sum)
		})
		list = append(list, r)
		return nil
	})
	return list, err
}

// nameLines says what the rows are called and what explains them.
func (e *explainer) nameLines(ctx context.Context, list []billRow) error {
	var places []int
	var parts []ledger.ID
	var hours []period.Second
	for i := range list {
		r := &list[i]
		r.Subject = "posting/" + r.posting.String()
		if r.part != nil {
			places, parts, hours = append(places, i), append(parts, *r.part), append(hours, r.hour)
		}
	}
	return pg.Query(ctx, e.tx, "explain.line_words", func(rows pgx.Rows) error {
		var place int
		var node, cluster, file, service *string
		var kind string
		var line *int64
		var current bool
		if err := rows.Scan(&place, &node, &cluster, &kind, &file, &line, &service, &current); err != nil {
			return err
		}
		r := &list[place]
		r.Node, r.Kind, r.File, r.Line, r.Service = node, kind, file, line, service
		switch {
		case r.charge != nil && current:
			r.Subject = "charge/" + r.charge.String()
		case r.Postings > 1 && node != nil:
			r.Subject = "node/" + *node + "/" + r.hour.Time().UTC().Format("2006-01-02T15:04")
		}
		return nil
	}, pg.Tenant, places, parts, hours)
}

func basisColumn(q metrics.Query) string {
	switch q.Basis {
	case ledger.BilledCost:
		return "x_billed"
	case ledger.ListCost:
		return "x_list"
	case ledger.ContractedCost:
		return "x_contracted"
	}
	return "x_effective"
}
