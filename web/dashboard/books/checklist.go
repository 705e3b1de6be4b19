package books

import (
	"slices"

	"gpuledger/web/dashboard/page"
	"gpuledger/web/operate"
	"gpuledger/web/views"
)

// steps are the points of the checklist of a close in the order in which they are checked, with the page that solves
// each.
var steps = []struct{ name, text, link, path string }{
	{"open", "The month is not closed yet", "", ""},
	{"posted", "Bills of the month are imported and allocated", "Data", "/data"},
	{"ended", "The month has ended", "", ""},
	{"earlier", "Earlier months are closed", "Periods", "/periods"},
	{"quiet", "No import or allocation runs", "Data", "/data"},
	{"allocated", "Everything is allocated", "Data", "/data"},
	{"billed", "Hours that a bill covers have its prices", "Reconciliation", "/reconciliation"},
	{"verified", "The ledger adds up", "Reconciliation", "/reconciliation"},
	{"owned", "Enough of the cost has an owner", "Coverage", "/coverage"},
}

// checklist shows every step; reasons of steps that this page does not know come last.
func checklist(s page.Scope, found operate.PeriodCheck) (list []views.CheckStep) {
	left := slices.Clone(found.Reasons)
	take := func(of func(operate.Reason) bool) (texts []string) {
		left = slices.DeleteFunc(left, func(r operate.Reason) bool {
			if of(r) {
				texts = append(texts, r.Text)
			}
			return of(r)
		})
		return texts
	}
	for _, step := range steps {
		shown := views.CheckStep{
			Text:    step.text,
			Reasons: take(func(r operate.Reason) bool { return r.Step == step.name }),
			Waiting: step.name == "verified" && !found.Proving.IsZero(),
		}
		if step.path != "" {
			shown.Link = views.Link{Text: step.link, Href: s.Carried(step.path)}
		}
		list = append(list, shown)
		if step.name == "open" && len(shown.Reasons) > 0 {
			return list // nothing else is checked of a closed month
		}
	}
	if others := take(func(operate.Reason) bool { return true }); len(others) > 0 {
		list = append(list, views.CheckStep{Text: "Other reasons", Reasons: others})
	}
	return list
}
