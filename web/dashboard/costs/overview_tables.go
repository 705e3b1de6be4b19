package costs

import (
	"cmp"
	"maps"
	"math"
	"math/big"
	"slices"
	"sort"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/dashboard/work"
	"gpuledger/web/views"
	"gpuledger/web/views/chart"
	"gpuledger/web/views/format"
)

var (
	causeHeads = views.Heads("Cause: key.cause", "#Spend: costs.effective_cost", "#Share: figure.share")
	teamHeads  = views.Heads(
		"Team: key.team", "By cause: figure.by_cause wide-only", "Over time: costs.effective_cost wide-only",
		"#GPU-h held: costs.gpu_hours wide-only",
		"#Used: figure.used_share", "#Spend: costs.effective_cost",
	)
	flowHeads = views.Heads("Cause: key.cause", "Team: key.team", "#GPU-h: costs.gpu_hours",
		"#Spend: costs.effective_cost")
	classHeads = views.Heads("Class: key.pricing", "#Spend: costs.effective_cost",
		"%Per GPU-h: figure.price_per_gpu_hour", "#Used: figure.used_share")
	providerHeads = views.Heads(
		"Provider: key.provider", "By cause: figure.by_cause wide-only", "#GPU-h held: costs.gpu_hours wide-only",
		"%Per GPU-h: figure.price_per_gpu_hour", "#Used: figure.used_share wide-only",
		"#Spend: costs.effective_cost",
	)
)

// causeTable is the strip as a table: every cause with its cents, or its percentage if the
// money is not dollars.
func causeTable(p *page.Context, t *sums) views.Table {
	table := views.Table{Caption: "Where each dollar went, by cause", Dense: true, Heads: causeHeads}
	share, all := format.Cents, "100\u202f¢"
	if p.Currency != "USD" {
		share, all = format.Share, "100\u202f%"
	}
	for _, info := range ledger.Causes {
		a, ok := t.ByCause[info.Cause]
		if !ok || a.IsZero() {
			continue
		}
		table.Rows = append(table.Rows, views.Row{Cells: []views.Cell{
			{Figure: views.Figure{Text: info.Label, Title: info.Meaning}, Cause: string(info.Cause)},
			{Figure: causeMoney(p, info.Cause, a, t)}, views.Text(share(a, t.Cost)),
		}})
	}
	table.Total = []views.Cell{views.Text("All causes"), {Figure: p.Money(t.Cost)}, views.Text(all)}
	return table
}

// causeMoney prints the cost of a cause; lost work is a range from the proven to the
// largest possible loss.
func causeMoney(p *page.Context, cause ledger.Cause, a money.Amount, t *sums) views.Figure {
	if cause == ledger.Lost {
		return p.Lost(p.Currency, t.lostAtLeast(), a, p.Scope.Basis)
	}
	return p.Money(a)
}

// flow is a way that money takes: from a price class or provider, by a cause, to an owner.
type flow struct{ group, cause, owner string }

// flows are the ways of the page's money, the largest sum first.
func flows(p *page.Context, c *cube) (order []flow, net map[flow]*sums) {
	net = by(c, func(r costRow) flow { return flow{group(p, r), string(r.Cause), flowOwner(r)} })
	return slices.SortedFunc(maps.Keys(net), func(a, b flow) int {
		return cmp.Or(net[b].Cost.Cmp(net[a].Cost), cmp.Compare(a.group, b.group), cmp.Compare(a.cause, b.cause),
			cmp.Compare(a.owner, b.owner))
	}), net
}

// flowTable is the flow as a table: every price class, cause and team.
func flowTable(p *page.Context, c *cube) views.Table {
	order, net := flows(p, c)
	name, of, _ := grouping(p)
	t := views.Table{Caption: "Spend by " + strings.ToLower(name) + ", cause and team",
		Heads: append([]views.SortLink{views.KeyHead(name, of)}, flowHeads...)}
	total := c.total()
	for _, k := range order {
		team := page.TeamName(k.owner)
		if k.owner == noTeam {
			team = "Not held"
		}
		t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{
			views.Text(k.group),
			{Figure: views.Figure{Text: page.CauseLabel(ledger.Cause(k.cause))}, Cause: k.cause},
			{Figure: views.Figure{Text: team}, Name: true},
			{Figure: page.Quantity(net[k].GPUHours)}, {Figure: p.Money(net[k].Cost)},
		}})
	}
	t.Total = []views.Cell{
		views.Text("All"), {}, {}, {Figure: page.Quantity(total.GPUHours)}, {Figure: p.Money(total.Cost)},
	}
	return t
}

// trendColumn is the column of small lines in the table of teams.
const trendColumn = 2

// mostTeams is how many teams a table lists before "others".
const mostTeams = 8

// teams fills in spend by team over time, as a chart and as a table.
func teams(p *page.Context, o *views.Overview, c *cube, total *sums) {
	c = c.shared()
	groups := by(c, func(r costRow) string { return r.Team })
	order := largestOf(groups)
	t := views.Table{Caption: "Spend by team", Heads: teamHeads}
	over := coursesOf(p, c)
	row := func(name, href, why string, g *sums, course views.Cell) []views.Cell {
		least := g.lostAtLeast()
		strip := page.CauseStrip(p.Currency, "row", g.ByCause, &least)
		return []views.Cell{{Figure: views.Figure{Text: name}, Href: href, Name: true}, {Strip: &strip}, course,
			{Figure: held(p, g)}, {Figure: used(p, g)}, {Figure: p.Money(g.Cost), Why: why}}
	}
	shown := order
	if len(order) > mostTeams+1 {
		shown = order[:mostTeams]
	}
	for _, team := range shown {
		name, is := page.TeamName(team), "team = "+page.Quote(team)
		t.Rows = append(t.Rows, views.Row{
			Cells: row(name, p.Scope.With("team", team), p.Scope.Why(gpuCost, is), groups[team], over.cell(p, name, is, team)),
		})
	}
	if len(shown) < len(order) {
		var rest sums
		for _, team := range order[len(shown):] {
			addSums(&rest, groups[team])
		}
		name, not := format.Plural(len(order)-len(shown), "other", "others"), make([]string, len(shown))
		for i, team := range shown {
			not[i] = page.Quote(team)
		}
		line := over.cell(p, name, "team not in ("+strings.Join(not, ", ")+")", order[len(shown):]...)
		t.Rows = append(t.Rows, views.Row{Others: true, Cells: row(name, "", "", &rest, line)})
	}
	t.Total = row("All teams", "", p.Scope.Why(gpuCost), total, over.cell(p, "All teams", "", order...))
	t = withoutTrends(t, trendColumn)

	steps, course := over.at, over.drawn
	unit := stepNames[c.Step]
	lines := chart.Lines{Currency: p.Currency}
	twin := views.Table{Caption: "Spend by team per " + unit, Heads: courseHeads}
	for i, named := range c.ticks(steps[course.From:course.To]) {
		text := ""
		if named {
			text = c.stepLabel(steps[course.From+i], i == 0)
		}
		lines.Steps = append(lines.Steps, text)
	}
	for k, team := range shown {
		twin.Heads = append(twin.Heads, views.SortLink{
			Text: page.TeamName(team), Number: true, Define: "costs.effective_cost",
		})
		if k >= 4 || over.teams[team] == nil {
			continue
		}
		name, title := fitted(page.TeamName(team), lineLetters)
		s := chart.Series{Name: name, Title: title, Value: over.last(p, team), High: k == 0}
		s.Points = over.points(over.teams[team])
		// A team with only fees has no course.
		if slices.ContainsFunc(s.Points, func(v float64) bool { return !math.IsNaN(v) }) {
			lines.Series = append(lines.Series, s)
		}
	}
	for i, at := range steps {
		r := views.Row{Cells: []views.Cell{views.Text(format.Instant(at))}}
		if c.Step != metrics.Hour {
			r.Cells[0] = views.Text(format.Day(at))
		}
		for _, team := range shown {
			var a money.Amount
			if over.teams[team] != nil {
				a = over.teams[team][i]
			}
			r.Cells = append(r.Cells, views.Cell{Figure: p.Money(a)})
		}
		twin.Rows = append(twin.Rows, r)
	}
	if len(order) > 0 {
		lines.Label = "Spend per " + unit + " of the largest teams: " + page.TeamName(order[0]) + " first with " +
			p.Currency.Money(groups[order[0]].Cost)
	}
	small := lines
	small.Series = nil
	for _, s := range lines.Series {
		full := cmp.Or(s.Title, s.Name)
		s.Name, s.Title = fitted(full, thinLetters)
		small.Series = append(small.Series, s)
	}
	lines.Height, small.Height = 250, 180
	o.Teams = views.Teams{Table: t, Twin: twin, Unit: currencyWord(p.Currency) + " per " + unit, Lines: len(steps) > 1 &&
		len(lines.Series) > 0,
		Drawing: lines.Draw(), Small: small.Draw(),
		Links: []views.Link{
			p.Twin(), page.Defined("costs.effective_cost"),
			{Text: "CSV", Href: p.Scope.API("costs", metrics.Options{GroupBy: "team", Granularity: string(c.Step)})},
		}}
}

// classes fills in spend per price class and per provider.
func classes(p *page.Context, o *views.Overview, c *cube, total *sums) {
	row := func(name string, g *sums) []views.Cell {
		unit := views.Figure{Text: format.NA, Title: "these lines have no GPU-hours", Zero: true}
		if !g.Capacity.IsZero() {
			unit = page.Price(p.Currency, format.Ratio(g.Cost.Rat(), g.Capacity.Rat()),
				p.Scope.Basis+" cost ÷ GPU-hours paid for")
		}
		used := used(p, g)
		spend := p.Money(g.Cost)
		if !g.priced {
			spend = views.Figure{Text: format.NA, Title: "no bill or rate covers it", Zero: true}
			unit = spend
		}
		if g.Capacity.IsZero() || !g.priced {
			used = views.Figure{Text: format.NA, Title: "no machine to use", Zero: true}
		}
		return []views.Cell{{Figure: views.Figure{Text: name}, Name: true}, {Figure: spend}, {Figure: unit}, {Figure: used}}
	}
	t := views.Table{Caption: "Spend by price class", Heads: classHeads}
	groups := by(c, className)
	for _, class := range largestOf(groups) {
		if g := groups[class]; !g.Cost.IsZero() || !g.Capacity.IsZero() {
			t.Rows = append(t.Rows, views.Row{Cells: row(class, g)})
		}
	}
	if len(t.Rows) > 1 {
		t.Total = row("All classes", total)
	}
	o.Classes, o.ClassNote = t, "per GPU-hour paid for"
	if list := providers(c); len(list) > 1 {
		providersTable(p, o, c, total, list, row)
	}
}

// providersTable shows spend by provider, with strips.
func providersTable(
	p *page.Context, o *views.Overview, c *cube, total *sums, list []string, row func(string, *sums) []views.Cell,
) {
	t := views.Table{Caption: "Spend by provider", Heads: providerHeads}
	groups := by(c, func(r costRow) string { return r.Provider })
	cells := func(name, href string, g *sums) []views.Cell {
		least := g.lostAtLeast()
		strip := page.CauseStrip(p.Currency, "row", g.ByCause, &least)
		plain := row(name, g)
		plain[0].Href = href
		return []views.Cell{plain[0], {Strip: &strip}, {Figure: held(p, g)}, plain[2], plain[3], plain[1]}
	}
	for _, provider := range list {
		href := ""
		if provider != "" {
			href = p.Scope.With("provider", provider)
		}
		t.Rows = append(t.Rows, views.Row{Cells: cells(page.ProviderName(provider), href, groups[provider])})
	}
	t.Total = cells("All providers", "", total)
	o.Providers = t
	o.ProviderLinks = []views.Link{{Text: "CSV", Href: p.Scope.API("costs", metrics.Options{GroupBy: "provider,cause"})}}
}

// tiles fills in the unit figures with their course over the steps.
func tiles(p *page.Context, o *views.Overview, c *cube, total *sums, f overviewFacts) {
	steps := c.steps()
	groups := make([]sums, len(steps))
	for _, r := range c.Rows {
		if i := stepOf(steps, r.Step); i >= 0 {
			groups[i].add(r)
		}
	}
	shown := c.course(steps, p.Extent)
	course := func(f func(*sums) (num, den money.Amount)) string {
		points := make([]float64, len(groups))
		for i := range groups {
			num, den := f(&groups[i])
			points[i] = page.Gap
			if !den.IsZero() && !c.uneven(i, steps, p.Extent.Covered()) {
				points[i] = page.Pixels(num) / page.Pixels(den)
			}
		}
		return chart.Spark(points[shown.From:shown.To])
	}
	if f.perActiveErr == nil { // the page works without it
		o.Tiles = append(o.Tiles, perActiveTile(p, f.perActive[c.Currency], total, course))
	}
	completed, mean := completedTile(p, f.runs, c, steps, shown)
	o.Tiles = append(o.Tiles, completed)
	withUnitTargets(p, o, f, mean)
	units := len(o.Tiles)
	for _, cause := range []ledger.Cause{ledger.HeldIdle, ledger.Lost, ledger.Free, ledger.Overhead} {
		a := total.ByCause[cause]
		tile := views.Tile{
			Name: page.CauseLabel(cause) + " share", Define: metrics.ChapterCauses + "." + string(cause),
			Value: views.Figure{Text: format.Share(a, total.Cost), Title: p.Currency.Exact(a) + " · " + p.Scope.Basis + " cost"},
			Spark: course(func(g *sums) (money.Amount, money.Amount) { return g.ByCause[cause], g.Cost }),
			Note:  p.Currency.Compact(a),
		}
		if cause == ledger.Lost && !total.LostAssumed.IsZero() {
			tile.Note, tile.Tag = "at most, "+p.Currency.Compact(a), page.AssumedLost
		}
		o.Tiles = append(o.Tiles, tile)
	}
	widths(o.Tiles, units)
}

// perActiveTile shows the column cost_per_active_gpu_hour, with the cost of a held hour in
// its note.
func perActiveTile(
	p *page.Context, active *big.Rat, total *sums, course func(func(*sums) (num, den money.Amount)) string,
) views.Tile {
	spark := course(func(g *sums) (money.Amount, money.Amount) { return g.Cost, g.Active })
	tile := views.Tile{
		Name: "Per active GPU-hour", Define: "costs.cost_per_active_gpu_hour",
		Value: page.Price(p.Currency, active, p.Scope.Basis+" cost ÷ ∫ activity"), Spark: spark, Note: "cost ÷ activity",
	}
	if held := format.Ratio(total.Cost.Rat(), total.GPUHours.Rat()); held != nil && active != nil {
		tile.Note = "vs " + p.Currency.UnitPrice(held) + " held"
		if times := format.Ratio(active, held); times != nil {
			tile.Tag = &views.Tag{Text: format.Times(times)}
		}
	}
	return tile
}

// completedTile shows the column cost_per_completed_run for the runs on the page, and returns it; nil without one.
func completedTile(
	p *page.Context, runs []work.Run, c *cube, steps []period.Second, shown stretch,
) (views.Tile, *big.Rat) {
	t := views.Tile{
		Name: "Per completed run", Define: "runs.cost_per_completed_run",
		Value: views.Figure{Text: format.NA, Title: "no run succeeded"}, Note: "no run succeeded",
	}
	var sum money.Amount
	var costs []money.Amount
	means := make([]struct{ sum, n float64 }, len(steps))
	unpriced := 0
	for _, r := range runs {
		switch {
		case r.Status != "succeeded" || r.Currency != string(p.Currency):
		case r.Cost == nil:
			unpriced++
		default:
			page.Add(&sum, *r.Cost)
			costs = append(costs, *r.Cost)
			if i := stepOf(steps, r.Ended); i >= 0 && r.Ended < c.after(steps[i]) {
				means[i].sum += page.Pixels(*r.Cost)
				means[i].n++
			}
		}
	}
	n := len(costs)
	if n == 0 {
		if unpriced > 0 {
			t.Value.Title, t.Note = "no cost of a completed run is known", "cost unknown"
		}
		return t, nil
	}
	mean := sum.MulRat(big.NewRat(1, int64(n)))
	points := make([]float64, len(steps))
	for i, m := range means {
		points[i] = page.Gap
		if m.n > 0 && !c.uneven(i, steps, p.Extent.Covered()) {
			points[i] = m.sum / m.n
		}
	}
	sort.Slice(costs, func(i, j int) bool { return costs[i].Cmp(costs[j]) < 0 })
	context := "mean of " + format.Plural(n, "run", "runs")
	if unpriced > 0 {
		context += "; " + format.Count(int64(unpriced)) + " more of unknown cost"
	}
	t.Value = page.Figure(p.Currency, &mean, func(a money.Amount) string { return p.Currency.UnitPrice(a.Rat()) }, context)
	t.Note = "median " + p.Currency.Money(costs[(n-1)/2])
	t.Tag = &views.Tag{Text: format.Plural(n, "run", "runs")}
	t.Spark = chart.Spark(points[shown.From:shown.To])
	return t, mean.Rat()
}

// held prints a group's held GPU-hours, or n/a if no workloads were imported.
func held(p *page.Context, g *sums) views.Figure {
	if p.Blind {
		return views.Figure{Text: format.NA, Title: "no workloads have been imported", Zero: true}
	}
	return page.Quantity(g.GPUHours)
}

// used prints the used share of a group's cost, or n/a if no telemetry was imported.
func used(p *page.Context, g *sums) views.Figure {
	if p.Blind {
		return views.Figure{Text: format.NA, Title: "no telemetry has been imported", Zero: true}
	}
	return views.Figure{Text: format.WholePercent(g.ByCause[ledger.Used].Rat(), g.Cost.Rat())}
}
