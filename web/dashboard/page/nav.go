package page

import (
	"cmp"
	"strings"

	"gpuledger/metrics"
	"gpuledger/web/views"
)

// overviewItself opens the overview for users who have a start page: without parameters it is that page.
const overviewItself = "?basis=effective"

// RailPage is a page in the rail, under one of its headings.
type RailPage struct{ Group, Title, Path string }

// navigation lists the pages of the rail; pages of people only if access control is on. Pages
// that finance opens once a month are folded, so that the rail fits on a laptop.
func (s Scope) navigation(active string, pages []RailPage, signs bool) []views.NavGroup {
	q := s.Carried("")
	out := []views.NavGroup{
		{Links: []views.NavLink{{Text: "Overview", Href: "/" + cmp.Or(q, overviewItself), Current: active == "overview"}}},
		{Title: RailMoney},
		{Title: RailWork},
		{Title: RailFleet, Links: []views.NavLink{{Text: "Now", Href: "/fleet" + q, Current: active == "fleet"}}},
		{Title: RailBooks, Folded: true, Links: []views.NavLink{
			{Text: "Reconciliation", Href: "/reconciliation" + q, Current: active == "reconciliation"},
			{Text: "Data", Href: "/data" + q, Current: active == "data"},
			{Text: "Metrics", Href: metrics.ReferencePath + q, Current: active == "metrics"},
			{Text: "API", Href: "/docs/api" + q, Current: active == "api"},
		}},
	}
	if signs {
		out = append(out, views.NavGroup{Title: RailPeople, Folded: true, Links: []views.NavLink{
			{Text: "Users", Href: "/people" + q, Current: active == "people"},
			{Text: "Tokens", Href: "/tokens" + q, Current: active == "tokens"},
		}})
	}
	for _, f := range pages {
		for i := range out {
			if out[i].Title == f.Group {
				out[i].Links = append(out[i].Links, views.NavLink{
					Text: f.Title, Href: f.Path + q, Current: active == strings.TrimPrefix(f.Path, "/"),
				})
			}
		}
	}
	return out
}

// Headings of the rail.
const (
	RailMoney  = "Money"
	RailWork   = "Work"
	RailFleet  = "Fleet"
	RailBooks  = "Books"
	RailPeople = "People" // only with access control
)
