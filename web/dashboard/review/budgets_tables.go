package review

import (
	"context"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// budgetTable lists budgets, parts below their parent, each with a link to change it if the reader may.
func budgetTable(c *page.Context, list []*Budget, change bool) views.Table {
	t := views.Table{Caption: "Budgets", Wide: true, Heads: views.Heads("Budget: budgets.name", "For: budgets.key", "Period: budgets.period",
		"#Amount: budgets.amount", "#Actual: budgets.actual", "#Provisional: budgets.provisional",
		"#Projected end: budgets.projected", "#Spent: budgets.ratio", "Breaks on: budgets.breaks_on",
		"#Unallocated: budgets.unallocated")}
	for _, b := range list {
		name := views.Cell{
			Figure: views.Figure{Text: b.Name}, Name: true, Depth: b.depth, Href: b.Href(c.Scope), Sub: b.Text("note"),
		}
		if change && !b.Label() { // a label is changed on its workload
			name.Form = views.BudgetChange(b.Name, c.Scope.With("set", b.ID)+"#set")
		}
		t.Rows = append(t.Rows, views.Row{ID: budgetRow(b.ID), Cells: []views.Cell{
			name,
			{Figure: views.Figure{Text: b.Owner()}, Name: true},
			views.Text(b.span()), b.explained("amount"), b.explained("actual"), b.notBilled(c.Estimates),
			b.projected(), b.spentCell(), b.breaks(), b.explained("unallocated"),
		}})
	}
	return t
}

// explained is a figure that leads to its explanation.
func (b *Budget) explained(column string) views.Cell {
	return views.Cell{Figure: b.figure(column), Why: b.Why(column)}
}

// notBilled is the provisional spend, with the error of estimates so far.
func (b *Budget) notBilled(estimates metrics.Estimates) views.Cell {
	cell := b.explained("provisional")
	if known := b.Known("provisional"); !known.IsZero() {
		tag := page.Standing(ledger.Provisional, b.Text("currency"), estimates)
		cell.Figure.Tag = &tag
	}
	return cell
}

// projected is the projected end. A life has none, and one from few days says nothing yet.
func (b *Budget) projected() views.Cell {
	switch {
	case b.Life():
		return views.Cell{Figure: views.Figure{Text: format.NA, Title: "a budget for life has no end", Zero: true}}
	case b.Early():
		return views.Cell{Figure: views.Figure{Text: format.NA, Title: "too early to say", Zero: true}, Sub: "too early, " + b.From()}
	}
	return b.explained("projected")
}

func (b *Budget) spentCell() views.Cell {
	f := views.Figure{Text: format.Percent(b.Ratio(), page.One), Copy: b.Known("ratio").String()}
	if b.State != "ok" {
		tone := "warn"
		if b.Over() {
			tone = "bad"
		}
		f.Tag = &views.Tag{Text: stateWords(b.State), Tone: tone, Title: "the highest step that the spend reached"}
	}
	return views.Cell{Figure: f, Why: b.Why("ratio")}
}

// stateWords prints a step: at_80 is "80 %".
func stateWords(state string) string { return strings.TrimPrefix(state, "at_") + " % reached" }

func (b *Budget) breaks() views.Cell {
	if at := b.Second("breaks_on"); at != 0 {
		return views.Cell{Figure: views.Figure{Text: format.Day(at)}, Sub: b.Guess()}
	}
	if b.Over() {
		return views.Text("over already")
	}
	return views.Text("")
}

// versionTable lists the versions of a budget with who stored each, when and why.
func versionTable(ctx context.Context, reader page.Reader, b *Budget) (t views.Table, err error) {
	t = views.Table{Caption: "Versions of " + b.Name,
		Heads: views.Heads("Version: budget_versions.version", "#Amount: budget_versions.amount",
			"Changed: budget_versions.changed_at", "By: budget_versions.changed_by", "Reason: budget_versions.reason")}
	o := metrics.Options{Filter: page.Equal("budget_id", b.ID)}
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
