package review

import (
	"context"
	"math/big"
	"slices"
	"strings"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// Budget is a row of budgets.
type Budget struct {
	page.Record
	ID, Name, State string
	parent          string
	depth           int // in the tree of parents
}

// overlaps is the condition on budgets of a period; of labels, those that workloads carry in it.
func overlaps(span period.Interval) string {
	if span.Empty() {
		return ""
	}
	before, after := " < '"+span.To.String()+"'", " > '"+span.From.String()+"'"
	return "(period_start is null or period_start" + before + ") and (period_end is null or period_end" + after +
		") and (labelled_from is null or labelled_from" + before +
		") and (labelled_until is null or labelled_until" + after + ")"
}

// ofPeople is the condition on budgets that people set.
const ofPeople = "source = person"

// ReadOver reads the budgets whose periods overlap a span, the fullest first.
func ReadOver(ctx context.Context, reader page.Reader, span period.Interval) (list []*Budget, err error) {
	return readBudgets(ctx, reader, overlaps(span))
}

func readBudgets(ctx context.Context, reader page.Reader, filter string) (list []*Budget, err error) {
	err = page.Each(ctx, reader, "budgets", metrics.Options{Filter: filter}, nil, func(r page.Record) error {
		r.Values = slices.Clone(r.Values)
		list = append(list, &Budget{
			Record: r, ID: r.Text("budget_id"), Name: r.Text("name"), parent: r.Text("parent"), State: r.Text("state"),
		})
		return nil
	})
	slices.SortStableFunc(list, func(a, b *Budget) int { return b.Ratio().Cmp(a.Ratio()) })
	return list, err
}

// Label reports whether a label of workloads set the budget, not a person.
func (b *Budget) Label() bool { return b.Text("source") == "label" }

// Life reports whether the budget has no end.
func (b *Budget) Life() bool { return b.Second("period_end") == 0 }

// Ratio is the spend as a share of the amount.
func (b *Budget) Ratio() *big.Rat {
	known := b.Known("ratio")
	return known.Rat()
}

// Spent is the spend, billed or not yet.
func (b *Budget) Spent() money.Amount { return b.Known("actual").Add(b.Known("provisional")) }

// Over reports whether the spend reached the amount.
func (b *Budget) Over() bool { return b.Ratio().Cmp(page.One) >= 0 }

// Early reports whether the projected end is a guess, from too few days.
func (b *Budget) Early() bool { return b.Value("early").Bool }

// From says how many days the projected end goes on from; empty where it is the spend.
func (b *Budget) From() string {
	if days := b.Value("projected_days"); days.Valid {
		return "from " + format.Plural(int(days.Int), "day", "days") + " of data"
	}
	return ""
}

// Guess is the remark on an early projection; empty on others.
func (b *Budget) Guess() string {
	if b.Early() {
		return "a guess " + b.From()
	}
	return ""
}

// Href is the page of the budget.
func (b *Budget) Href(s page.Scope) string {
	return s.Carried("/budgets", "budget", b.ID) + "#panel-burnup"
}

// Owner is what the budget is for, in words.
func (b *Budget) Owner() string {
	if b.Text("key") == "all" {
		return "everything"
	}
	return strings.ReplaceAll(b.Text("key"), "_", " ") + " " + b.Text("value")
}

func (b *Budget) span() string {
	from, to := b.Second("period_start"), b.Second("period_end")
	switch {
	case to == 0 && from == 0:
		return "life"
	case to == 0:
		return "life, from " + format.Day(from)
	case period.MonthOf(from) == (period.Interval{From: from, To: to}):
		return format.Month(from)
	}
	return format.Days(period.Interval{From: from, To: to})
}

// figure prints an amount in the unit of the budget.
func (b *Budget) figure(column string) views.Figure { return b.print(b.Amount(column)) }

func (b *Budget) print(a *money.Amount) views.Figure {
	if a == nil {
		return views.Figure{}
	}
	f := views.Figure{Title: a.String() + " " + b.Text("unit"), Copy: a.String(), Zero: a.IsZero()}
	switch b.Text("unit") {
	case "money":
		coin := format.Currency(b.Text("currency"))
		f.Text, f.Title = coin.Money(*a), coin.Exact(*a)
	case "gpu_hours":
		f.Text = format.GPUHours(*a) + " GPU-h"
	default:
		f.Text = format.Decimal(a.Rat()) + " tokens"
	}
	return f
}

// Why is the address of the explanation of a figure; empty if it is unknown or 0.
func (b *Budget) Why(column string) string {
	if a := b.Amount(column); a == nil || a.IsZero() {
		return ""
	}
	return figures.WhyFigure(metrics.Options{}, "budgets", column, page.Equal("budget_id", b.ID))
}
