package review

import (
	"context"
	"strings"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// budgetTable lists budgets, parts below their parent.
func budgetTable(c *page.Context, list []*budget) views.Table {
	t := views.Table{Caption: "Budgets", Wide: true, Heads: views.Heads("Budget: budgets.name", "For: budgets.key", "Period: budgets.period",
		"#Amount: budgets.amount", "#Actual: budgets.actual", "#Provisional: budgets.provisional",
		"#Projected end: budgets.projected", "#Spent: budgets.ratio", "Breaks on: budgets.breaks_on",
		"#Unallocated: budgets.unallocated")}
	for _, b := range list {
		t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{
			{
				Figure: views.Figure{Text: strings.Repeat("\u2003", b.depth) + b.name}, Name: true,
				Href: c.Scope.At("/budgets", "budget", b.id) + "#panel-burnup",
			},
			{Figure: views.Figure{Text: b.owner()}, Name: true},
			views.Text(b.span()), {Figure: b.figure("amount")}, {Figure: b.figure("actual")}, {Figure: b.figure("provisional")},
			{Figure: b.figure("projected")}, b.spentCell(), b.breaks(), {Figure: b.rest()},
		}})
	}
	return t
}

func (b *budget) owner() string {
	if b.Text("key") == "all" {
		return "everything"
	}
	return strings.ReplaceAll(b.Text("key"), "_", " ") + " " + b.Text("value")
}

func (b *budget) span() string {
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
func (b *budget) figure(column string) views.Figure { return b.print(b.Amount(column)) }

func (b *budget) print(a *money.Amount) views.Figure {
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

// rest is the part of the amount that no part of the budget has; empty without parts.
func (b *budget) rest() views.Figure { return b.figure("unallocated") }

func (b *budget) spentCell() views.Cell {
	f := views.Figure{Text: format.Percent(b.ratio(), page.One), Copy: b.Known("ratio").String()}
	if b.state != "ok" {
		tone := "warn"
		if b.ratio().Cmp(page.One) >= 0 {
			tone = "bad"
		}
		f.Tag = &views.Tag{Text: stateWords(b.state), Tone: tone, Title: "the highest step that the spend reached"}
	}
	return views.Cell{Figure: f}
}

// stateWords prints a step: at_80 is "80 %".
func stateWords(state string) string { return strings.TrimPrefix(state, "at_") + " % reached" }

func (b *budget) breaks() views.Cell {
	if at := b.Second("breaks_on"); at != 0 {
		return views.Text(format.Day(at))
	}
	return views.Text("")
}

// versionTable lists the versions of a budget with who stored each, when and why.
func versionTable(ctx context.Context, reader page.Reader, b *budget) (t views.Table, err error) {
	t = views.Table{Caption: "Versions of " + b.name,
		Heads: views.Heads("Version: budget_versions.version", "#Amount: budget_versions.amount",
			"Changed: budget_versions.changed_at", "By: budget_versions.changed_by", "Reason: budget_versions.reason")}
	o := metrics.Options{Filter: page.Equal("budget_id", b.id)}
	err = page.Each(ctx, reader, "budget_versions", o, nil, func(r page.Record) error {
		t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{
			views.Text(format.Count(r.Count("version"))), {Figure: b.print(r.Amount("amount"))},
			views.Text(format.Stamp(r.Second("changed_at"))),
			{Figure: views.Figure{Text: r.Text("changed_by")}, Name: true},
			{Figure: views.Figure{Text: r.Text("reason")}, Name: true},
		}})
		return nil
	})
	return t, err
}
