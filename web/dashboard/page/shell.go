package page

import (
	"net/http"
	"slices"
	"strings"

	"gpuledger/internal/access"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/assets"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// Context is shared by all parts of one page.
type Context struct {
	Scope    Scope
	Extent   metrics.Extent
	Currency format.Currency
	Policy   string
	Blind    bool // there is no data about the use of machines
	Slices   bool // the run held MIG slices
	Unshared bool // no policy shares cost in the period
	Several  bool // the page shows several currencies, so figures carry their codes
	// Estimates are how good estimates were, if the page shows provisional cost.
	Estimates metrics.Estimates
}

// Shell builds the frame of a page. title is the document's title, active the page in the
// rail.
func (d *Site) Shell(r *http.Request, s Scope, active, title string) views.Shell {
	theme := "system"
	if c, err := r.Cookie(ThemeCookie); err == nil && (c.Value == "light" || c.Value == "dark") {
		theme = c.Value
	}
	return views.Shell{
		Pending: d.Pending(), Title: title, Active: active, Theme: theme, Here: r.URL.RequestURI(), Query: s.Carried(""), Tenant: d.Tenant,
		Nav: d.shown(r, s.navigation(active, d.Rail, d.Signs)), Signed: d.signedOf(r), Open: !d.Signs,
		Saves: d.saves(r),
		Assets: views.Assets{
			Stylesheet: d.Assets.URL(assets.Stylesheet), Script: d.Assets.URL(assets.Script), HTMX: d.Assets.URL(assets.HTMX),
			Icon: d.Assets.URL(assets.Icon), Fonts: []string{d.Assets.URL(assets.FontText), d.Assets.URL(assets.FontMono)},
		},
	}
}

// saves reports whether the viewer can save the page under a name.
func (d *Site) saves(r *http.Request) bool {
	shelf := d.Desk.Shelf
	return shelf != nil && r.Method == http.MethodGet && !access.From(r.Context()).Seeing() &&
		shelf.Page(r.URL.RequestURI()) == nil
}

// shown keeps the pages of the rail that show anything to the viewer.
func (d *Site) shown(r *http.Request, nav []views.NavGroup) []views.NavGroup {
	v := access.From(r.Context())
	if v == nil || d.Shows == nil {
		return nav
	}
	for i := range nav {
		nav[i].Links = slices.DeleteFunc(nav[i].Links, func(l views.NavLink) bool {
			path, _, _ := strings.Cut(l.Href, "?")
			return !d.Shows(v, path)
		})
	}
	return nav
}

// signedOf is the viewer of the page; nil without access control.
func (d *Site) signedOf(r *http.Request) *views.Signed {
	v := access.From(r.Context())
	if v == nil {
		return nil
	}
	s := &views.Signed{
		Name: v.Name, Role: RoleWords(v.Role), By: v.By,
		Stays: v.Kind == access.ByToken || v.Kind == access.ByProxy && !d.Leaves,
	}
	if v.Bounded() {
		s.Scope = "limited access"
	}
	return s
}

// RoleWords prints a role.
func RoleWords(r access.Role) string { return strings.ReplaceAll(string(r), "_", " ") }

// Choices are the values that the filter bar offers, largest first.
type Choices struct {
	Teams, Providers, Currencies []string
	// Dataset is what the page shows, and so what its filters choose; empty: none applies.
	Dataset string
	// Takes are keys that the page filters by in addition to those of the dataset.
	Takes    []string
	Sharing  bool // teams can be shown after sharing
	Timeless bool // nothing on the page has a period
	Compared bool // the page compares its period with another
	// Where is an example of a condition.
	Where string
}

// Bar builds the filter bar of pages with money.
func (p *Context) Bar(from Choices) views.Bar {
	b := views.Bar{Menus: []views.Menu{p.periodMenu(from)}}
	if from.Compared {
		b.Menus = append(b.Menus, p.againstMenu())
	}
	b.Menus = append(b.Menus, p.BasisMenu())
	if from.Sharing {
		b.Menus = append(b.Menus, p.sharingMenu())
	}
	if len(from.Currencies) > 1 || p.Scope.Currency != "" && len(from.Currencies) > 0 {
		m := views.Menu{Label: "Currency", Value: string(p.Currency), WideOnly: true}
		for _, c := range from.Currencies {
			m.Items = append(m.Items, views.MenuItem{
				Text: c, Href: p.Scope.With("currency", c), Current: c == string(p.Currency),
			})
		}
		if p.Scope.Currency != "" {
			m.Items = append(m.Items, views.MenuItem{Text: "As billed", Href: p.Scope.With("currency", "")})
		}
		if d, err := metrics.LookupDataset(from.Dataset); err == nil && d.Grouped {
			m.Items = append(m.Items, views.MenuItem{Text: "Other currencies are converted where the policy has a rate."})
		}
		b.Menus = append(b.Menus, m)
	}
	b.Chips = p.chips(from)
	b.Filter = p.filterMenu(from)
	if !p.Extent.Empty() {
		b.AsOf, b.Tone = "Data to "+format.Stamp(p.Extent.Data), "good"
	}
	return b
}

// Shown is the period that the page shows.
func (p *Context) Shown() period.Interval {
	return p.Scope.Shown(p.Extent).Span
}

// BasisNames are the name and the meaning of each basis.
var BasisNames = map[string][2]string{
	"effective":  {"Effective", "amortised"},
	"billed":     {"Billed", "as invoiced"},
	"list":       {"List", "public on-demand price"},
	"contracted": {"Contracted", "before commitments"},
}

// BasisMenu offers the bases of cost.
func (p *Context) BasisMenu() views.Menu {
	m := views.Menu{Label: "Cost", Value: BasisNames[p.Scope.Basis][0], WideOnly: true}
	for _, b := range bases {
		m.Items = append(m.Items, views.MenuItem{
			Text: BasisNames[b][0], Note: BasisNames[b][1], Href: p.Scope.With("basis", b), Current: b == p.Scope.Basis,
		})
	}
	return m
}
