package dashboard

import (
	"net/http"
	"sort"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/web/assets"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// pageContext is what all parts of one answer share.
type pageContext struct {
	scope    scope
	extent   period.Interval
	currency format.Currency
	policy   string
	blind    bool // nothing is known of what machines did
	slices   bool // the run held MIG slices
	several  bool // currencies stand side by side: figures carry their codes
}

// held is the GPU-hours that a group held, n/a where nothing could see it.
func (p *pageContext) held(g *sums) views.Figure {
	if p.blind {
		return views.Figure{Text: format.NA, Title: "no workloads have been imported", Zero: true}
	}
	return quantity(g.GPUHours)
}

// used is the share of a group that did work, n/a where nothing could see it.
func (p *pageContext) used(g *sums) views.Figure {
	if p.blind {
		return views.Figure{Text: format.NA, Title: "no telemetry has been imported", Zero: true}
	}
	return views.Figure{Text: format.WholePercent(g.ByCause[ledger.Used].Rat(), g.Cost.Rat())}
}

// shell makes what surrounds a page. title names the document, active the
// page in the rail.
func (d *site) shell(r *http.Request, s scope, active, title string) views.Shell {
	theme := "system"
	if c, err := r.Cookie(themeCookie); err == nil && (c.Value == "light" || c.Value == "dark") {
		theme = c.Value
	}
	return views.Shell{
		Title: title, Active: active, Theme: theme, Here: r.URL.RequestURI(), Query: s.carried(""), Tenant: d.tenant,
		Nav: s.navigation(active, d.rail),
		Assets: views.Assets{
			Stylesheet: d.assets.URL(assets.Stylesheet), Script: d.assets.URL(assets.Script), HTMX: d.assets.URL(assets.HTMX),
			Icon: d.assets.URL(assets.Icon), Fonts: []string{d.assets.URL(assets.FontText), d.assets.URL(assets.FontMono)},
		},
	}
}

// choices are what the filter bar offers, the largest first.
type choices struct {
	teams, providers, currencies []string
	sharing                      bool // teams can be shown after sharing
}

// bar makes the filter bar of pages that show money.
func (p *pageContext) bar(from choices) views.Bar {
	b := views.Bar{Menus: []views.Menu{p.periodMenu(), p.basisMenu()}}
	if from.sharing {
		b.Menus = append(b.Menus, p.sharingMenu())
	}
	if len(from.currencies) > 1 {
		m := views.Menu{Label: "Currency", Value: string(p.currency)}
		for _, c := range from.currencies {
			m.Items = append(m.Items, views.MenuItem{Text: c, Href: p.scope.with("currency", c), Current: c == string(p.currency)})
		}
		b.Menus = append(b.Menus, m)
	}
	for _, f := range []struct{ label, key, value string }{
		{"team is", "team", p.scope.Team}, {"cluster is", "cluster", p.scope.Cluster}, {"provider is", "provider", p.scope.Provider}, {"kind is", "kind", p.scope.Kind},
		{"status is", "status", p.scope.Status}, {"name has", "q", p.scope.Text},
	} {
		if f.value != "" {
			value := f.value
			if f.key == "provider" {
				value = providerName(value)
			}
			b.Chips = append(b.Chips, views.Chip{Label: f.label, Value: value, Remove: p.scope.with(f.key, "")})
		}
	}
	if len(from.teams)+len(from.providers) > 0 {
		m := &views.Menu{Label: "+ Filter", Items: p.providerItems(from.providers)}
		if len(from.teams) > 0 {
			m.Items = append(m.Items, views.MenuItem{Text: "Team"})
		}
		for _, t := range from.teams {
			m.Items = append(m.Items, views.MenuItem{Text: t, Href: p.scope.with("team", t), Current: t == p.scope.Team})
		}
		b.Filter = m
	}
	if !p.extent.Empty() {
		b.AsOf, b.Tone = "Data to "+format.Stamp(p.extent.To), "good"
	}
	return b
}

func (p *pageContext) shown() period.Interval {
	return p.scope.within(p.extent).span
}

// scopeless is what is shown without a period.
func (p *pageContext) scopeless() period.Interval { return scope{}.within(p.extent).span }

// periodMenu offers the months, the last days and all of what is stored; never
// what the clock says, so that an address shows the same tomorrow.
func (p *pageContext) periodMenu() views.Menu {
	m := views.Menu{Label: "Period", Value: format.Days(p.shown())}
	if p.shown().Empty() {
		m.Value = "all time"
	}
	item := func(text string, i period.Interval) {
		from, to := format.ISODay(i.From), format.ISODay(i.To)
		m.Items = append(m.Items, views.MenuItem{
			Text: text, Note: format.ShortDays(i), Href: p.scope.with("from", from, "to", to), Current: p.scope.From == from && p.scope.To == to,
		})
	}
	if !p.extent.Empty() {
		end := (p.extent.To - 1).Floor(period.Day) + period.Day
		m.Items = append(m.Items, views.MenuItem{Text: "All recorded time", Note: format.ShortDays(p.scopeless()), Href: p.scope.with("from", "", "to", ""),
			Current: p.scope.From == "" && p.scope.To == ""})
		item("Last day", period.Interval{From: end - period.Day, To: end})
		item("Last 7 days", period.Interval{From: end - 7*period.Day, To: end})
		var months []period.Interval
		for month := period.MonthOf(p.extent.From); month.From < p.extent.To; month = period.MonthOf(month.To) {
			months = append(months, month)
		}
		sort.Slice(months, func(i, j int) bool { return months[i].From > months[j].From })
		for _, month := range months[:min(len(months), 12)] {
			item(format.Month(month.From), month)
		}
	}
	m.Form = &views.PeriodForm{Action: p.scope.path, From: p.scope.From, To: p.scope.To}
	for _, kv := range p.scope.params() {
		if kv[0] != "from" && kv[0] != "to" && kv[1] != "" {
			m.Form.Hidden = append(m.Form.Hidden, kv)
		}
	}
	return m
}

// neighbours are the addresses of the periods of equal length before and after
// the one that is shown, empty where the ledger has nothing there.
func (p *pageContext) neighbours() (earlier, later string) {
	w := p.scope.window
	if w.From == 0 || w.To == 0 || w.Empty() || p.extent.Empty() {
		return "", ""
	}
	before, after := period.Interval{From: w.From - (w.To - w.From), To: w.From}, period.Interval{From: w.To, To: w.To + (w.To - w.From)}
	if month := period.MonthOf(w.From); month == w {
		before, after = period.MonthOf(w.From-1), period.MonthOf(w.To)
	}
	at := func(i period.Interval) string {
		if !i.Overlaps(p.extent) {
			return ""
		}
		return p.scope.with("from", address(i.From), "to", address(i.To))
	}
	return at(before), at(after)
}

// sharing says of which side of sharing the figures of the overview are.
func (p *pageContext) sharing() string {
	if p.scope.Sharing != "" {
		return "teams after sharing, causes and classes before"
	}
	return "before sharing"
}

// sharingMenu offers cost where it was and where the policy passes it on to.
func (p *pageContext) sharingMenu() views.Menu {
	m := views.Menu{Label: "Teams", Value: "before sharing", WideOnly: true, Items: []views.MenuItem{
		{Text: "Before sharing", Note: "what each held itself", Href: p.scope.with("sharing", ""), Current: p.scope.Sharing == ""},
		{Text: "After sharing", Note: "with what the policy passes on", Href: p.scope.with("sharing", "after"), Current: p.scope.Sharing != ""},
	}}
	if p.scope.Sharing != "" {
		m.Value = "after sharing"
	}
	return m
}

var basisNames = map[string][2]string{
	"effective":  {"Effective", "amortised"},
	"billed":     {"Billed", "as invoiced"},
	"list":       {"List", "public on-demand price"},
	"contracted": {"Contracted", "before commitments"},
}

func (p *pageContext) basisMenu() views.Menu {
	m := views.Menu{Label: "Cost", Value: basisNames[p.scope.Basis][0], WideOnly: true}
	for _, b := range bases {
		m.Items = append(m.Items, views.MenuItem{Text: basisNames[b][0], Note: basisNames[b][1], Href: p.scope.with("basis", b), Current: b == p.scope.Basis})
	}
	return m
}
