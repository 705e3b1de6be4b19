package people

import (
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views/format"
)

// Pages are the pages of figures of this room.
var Pages = []*figures.Page{&auditPage}

// auditPage is the audit log. Who may see it follows from its dataset.
var auditPage = figures.Page{
	Path: "/audit", Title: "Audit log", Group: page.RailPeople, Dataset: "audit",
	Of: "Entries", Order: "-number", Apart: true, Where: "action = 'signed in'",
	Columns: []figures.Column{
		{Name: "at", Text: "When", Class: "nowrap"}, {Name: "actor", Text: "Who"},
		{Name: "action", Text: "What"}, {Name: "subject", Text: "Of"},
		{Name: "detail", Text: "Detail", Class: "wide-only"}, {Name: "number", Text: "Entry", Class: "xl-only"},
	},
	Say: func(p *page.Context, f *figures.Reading) (string, string) {
		const sub = "Each is chained to the one before, so that a change of any is found."
		if newest := f.Rows[0]; p.Scope.Page == 1 && p.Scope.Filter == "" && p.Scope.Order == "" {
			entries := format.Plural(int(newest.Count("number")), "entry.", "entries.")
			return "The audit log has " + entries + " The newest is of " + format.Stamp(newest.Second("at")) + ".", sub
		}
		return "What was done to the books, and who sees them.", sub
	},
	None: "Nothing was closed, changed or refused yet, and nobody signed in.",
}
