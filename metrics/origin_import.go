package metrics

import (
	"context"
	"slices"
)

// rowCounts are the counts of an import that follow from others.
var rowCounts = []string{"rows_read", "accepted", "rejected", "ignored", "refused"}

// CountExplained reports whether a count has an explanation although it does not add rows up.
func CountExplained(dataset, column string) bool {
	return dataset == imports.Name && slices.Contains(rowCounts, column)
}

// importOrigin explains how many rows an import read, and what became of them: by the others, and by reason.
func importOrigin(ctx context.Context, o *origins, row []Value, out *Origin) (bool, error) {
	if o.q.Regrouped() {
		return false, nil
	}
	out.Of = o.text(row, "source") + ", " + o.text(row, "uri")
	terms := func(columns ...string) (list []Term) {
		for _, name := range columns {
			term := Term{Name: Label(name), Value: o.cell(row, name), Unit: "rows"}
			if name != "rows_read" && name != "accepted" { // each is the other, less the rest
				term.Leads = []Lead{{Label(name), o.subject(name, row)}}
			}
			list = append(list, term)
		}
		return list
	}
	switch o.column.Name {
	case "rows_read":
		out.Formula = "accepted + rejected + ignored, once it has ended"
		if o.cell(row, "finished_at") != nil {
			out.Parts, out.PartsBy = terms("accepted", "rejected", "ignored"), "outcome"
		}
	case "accepted":
		out.Formula = "rows read − rejected − ignored"
		out.Terms = terms("rows_read", "rejected", "ignored")
		if o.cell(row, "finished_at") != nil {
			left := o.amount(row, "rows_read").Sub(o.amount(row, "rejected")).Sub(o.amount(row, "ignored"))
			out.check(left.Rat())
		}
	case "rejected", "ignored", "refused":
		out.Formula = "Σ rows by reason"
		return true, o.countsByReason(ctx, row, out)
	default:
		return false, nil
	}
	return true, nil
}

// countsByReason are the reasons of an import's rows of one kind.
func (o *origins) countsByReason(ctx context.Context, row []Value, out *Origin) error {
	q, err := Parse(importCounts.Name, Options{Filter: Both(
		IsValue("import_id", Value{Valid: true, Text: o.text(row, "import_id")}, ID), "kind = "+o.column.Name)})
	if err != nil {
		return err
	}
	a, err := ReadAnswer(ctx, o.from, q)
	if err != nil {
		return err
	}
	out.PartsBy = "reason"
	for _, counted := range a.Rows {
		reason := ""
		if t := textOf(a, counted, "reason"); t != nil {
			reason = *t
		}
		out.Parts = append(out.Parts, Term{Name: reason, Value: textOf(a, counted, "rows"), Unit: "rows"})
	}
	return nil
}
