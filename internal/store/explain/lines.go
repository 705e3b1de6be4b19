package explain

import (
	"context"
	"fmt"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/internal/store/report"
	"gpuledger/metrics"
)

// fewPostings is up to how many postings are listed one by one.
const fewPostings = 25

// billRow adds up the postings of a bill line, and holds the keys to find them. The sums and counts at its end cover
// all lines.
type billRow struct {
	line                metrics.LevelLine
	Charge, Other, Part *ledger.ID
	Posting             ledger.ID
	Currency            string
	ledger.Costs
	State       string
	Least, Most *string // cause
	Kind        string
	First, Last period.Second // hour
	Postings    int64
	Lines       int64
	All         int64 // postings
	Sums        costList
}

// lineColumns group postings by bill line; those without a line by part, or by side of a pair.
const lineColumns = "x_charge as charge, case when x_charge is null then coalesce(x_part, x_id) end as other, " +
	"coalesce(x_currency, '') as currency, sum(x_effective) as effective_cost, sum(x_billed) as billed_cost, " +
	"sum(x_list) as list_cost, sum(x_contracted) as contracted_cost, max(x_state) as state, " +
	"min(x_cause) as least, max(x_cause) as most, min(x_kind) as kind, " +
	"min(x_hour) as first, max(x_hour) as last, count(*) as postings, (array_agg(x_part order by x_hour, x_id))[1] as " +
	"part, " +
	"(array_agg(x_id order by x_hour, x_id))[1] as posting, count(*) over () as lines, sum(count(*)) over () as \"all\", " +
	"array[sum(sum(x_effective)) over w, sum(sum(x_billed)) over w, sum(sum(x_list)) over w, " +
	"sum(sum(x_contracted)) over w] as sums"

// lines reads a page of the figure's bill lines if the window is short enough.
func (e *explainer) lines(ctx context.Context, window period.Interval) error {
	q := e.subject.Query
	most := int64(lineSpan)
	if e.subject.Given.Filter == "" { // of everything, days come first
		most = shortSpan
	}
	if window.From == 0 || int64(window.To-window.From) > most || q.AsOf != 0 || !q.Statement.IsZero() {
		return nil
	}
	first := window.From.Floor(period.Day)
	postings, err := pg.Value[int64](ctx, e.tx, "explain.posted_rows", pg.Tenant, first, window.To)
	if err != nil {
		return err
	}
	switch span := int64(window.To - window.From); {
	case postings <= lineRows || span <= period.Hour:
	case span > shortSpan:
		return nil
	default:
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
		out.Rows = append(out.Rows, list[i].line)
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

func (e *explainer) billRows(
	ctx context.Context, q metrics.Query, out *metrics.LevelLines,
) (list []billRow, err error) {
	tail := fmt.Sprintf(" and not x_unbilled group by x_charge, other, x_currency"+
		" window w as (partition by x_currency) order by abs(sum(%s)) desc nulls last, x_charge, other limit %d offset %d",
		basisColumn(q), levelRows, e.first)
	text, args := report.Behind(q, lineColumns, tail)
	err = eachRow(ctx, e.tx, text, args, func(r billRow) error {
		if pg.OrEmpty(r.Least) == pg.OrEmpty(r.Most) {
			r.line.Cause = r.Least
		}
		r.line.From, r.line.To = r.First.Time(), (r.Last + period.Hour).Time()
		r.line.Kind, r.line.Postings = r.Kind, r.Postings
		r.line.Amount = figure(&r.Costs, r.Currency, r.State, "")
		out.Count, out.Postings = r.Lines, r.All
		sum := figure(r.Sums.costs(), r.Currency, "", "")
		out.Agrees = out.Agrees && slices.ContainsFunc(e.out.Figures, func(f metrics.Figure) bool {
			return sameCosts(f, sum)
		})
		list = append(list, r)
		return nil
	})
	return list, err
}

// nameLines names the rows and links each to its explanation.
func (e *explainer) nameLines(ctx context.Context, list []billRow) error {
	var places []int
	var parts []ledger.ID
	var hours []period.Second
	for i := range list {
		r := &list[i]
		r.line.Subject = "posting/" + r.Posting.String()
		if r.Part != nil {
			places, parts, hours = append(places, i), append(parts, *r.Part), append(hours, r.First)
		}
	}
	words, err := pg.List[struct {
		Place               int
		Node, File, Service *string
		Kind                string
		Line                *int64
		Current             bool
	}](ctx, e.tx, "explain.line_words", pg.Tenant, places, parts, hours)
	for _, w := range words {
		r := &list[w.Place]
		l := &r.line
		l.Node, l.Kind, l.File, l.Line, l.Service = w.Node, w.Kind, w.File, w.Line, w.Service
		switch {
		case r.Charge != nil && w.Current:
			l.Subject = "charge/" + r.Charge.String()
		case r.Postings > 1 && w.Node != nil:
			l.Subject = "node/" + *w.Node + "/" + r.First.Time().UTC().Format("2006-01-02T15:04")
		}
	}
	return err
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
