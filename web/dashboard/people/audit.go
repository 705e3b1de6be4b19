package people

import (
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views/format"
)

// Pages are the pages of figures of this room.
var Pages = []*figures.Page{&auditPage}

// auditPage is the audit log. Access to it follows from its dataset.
var auditPage = figures.Page{
	Path: "/audit", Title: "Audit log", Group: page.RailPeople, Dataset: "audit",
	Of: "Entries", Order: "-number", Apart: true, Where: "action = 'signed in'",
	Columns: []figures.Column{
		{Name: "at", Text: "When", Class: "nowrap"}, {Name: "actor", Text: "Who"},
		{Name: "action", Text: "Action"}, {Name: "subject", Text: "Subject"},
		{Name: "detail", Text: "Detail", Class: "wide-only"}, {Name: "number", Text: "Entry", Class: "xl-only"},
	},
	Say: func(p *page.Context, f *figures.Reading) (string, string) {
		const sub = "Each entry is chained to the one before, so any change to an entry is detected."
		if newest := f.Rows[0]; p.Scope.Page == 1 && !p.Scope.Narrows("audit") && p.Scope.Order == "" {
			entries := format.Plural(int(newest.Count("number")), "entry.", "entries.")
			return "The audit log has " + entries + " The newest is from " + format.Stamp(newest.Second("at")) + ".", sub
		}
		return "Changes to the books and to access.", sub
	},
	None: "No changes, refusals or sign-ins yet.",
}
