package limit

import (
	"cmp"
	"slices"

	"gpuledger/internal/ledger"
)

// fault is a text that limits nothing, and why.
type fault struct {
	label    ledger.LimitLabel
	standing ledger.LimitStanding
	cluster  string
	text     string
}

func compareFaults(a, b fault) int {
	return cmp.Or(cmp.Compare(a.label, b.label), cmp.Compare(a.standing, b.standing), cmp.Compare(a.cluster, b.cluster),
		cmp.Compare(a.text, b.text))
}

// row is the text with those that carry it.
func (f fault) row(all []said) ledger.LimitText {
	slices.SortFunc(all, func(a, b said) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.id, b.id), cmp.Compare(a.name, b.name))
	})
	t := row(all)
	t.BudgetID = ledger.NewID("limit label", string(f.label), string(f.standing), f.cluster, f.text)
	t.Standing = f.standing
	if amount, ok := ledger.ParseLimit(f.text); ok {
		t.Amount = &amount
	}
	return t
}
