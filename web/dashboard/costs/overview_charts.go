package costs

import (
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/chart"
	"gpuledger/web/views/format"
)

var (
	courseHeads = views.Heads("From: costs.period_start")
	courseEnd   = views.Heads("#All causes: costs.effective_cost", "State: costs.state")
)

// headline fills in the page's main figure and the facts next to it.
func headline(p *page.Context, o *views.Overview, c *cube, t *sums, a *against) {
	state := t.state()
	o.Spend = views.Headline{
		Name: "GPU spend, " + format.ShortDays(p.Shown()), Rule: page.Rule(state),
		Figure: page.Figure(p.Currency, &t.Cost, p.Currency.Whole, p.Scope.Basis+" cost · "+string(state)),
		Tag:    page.QualityTag(t.quality()), Why: p.Scope.Why(gpuCost),
	}
	if !t.Provisional.IsZero() {
		o.Bar.Tags = append(o.Bar.Tags, views.Tag{
			Text: format.Share(t.Provisional, t.Cost) + " provisional" + page.Off(string(p.Currency), p.Estimates), Tone: "warn",
			Title: p.Currency.Exact(t.Provisional) + " has no bill yet and is charged from a rate. " + p.Estimates.Sentence(),
		})
	} else {
		o.Bar.Tags = append(o.Bar.Tags, page.Standing(state, string(p.Currency), p.Estimates))
	}
	if f, ok := a.fact(p); ok {
		o.Facts = append(o.Facts, f)
	}
	held, capacity := page.Quantity(t.GPUHours), t.Capacity
	o.Facts = append(o.Facts, views.Fact{
		Name: "GPU-hours held", Define: "costs.gpu_hours", Value: held, Note: "of " + format.GPUHours(capacity) + " paid for",
	})
	lost, least := t.ByCause[ledger.Lost], t.lostAtLeast()
	fact := views.Fact{
		Name: "Lost work", Define: "figure.lost_span",
		Value: p.Lost(p.Currency, least, lost, p.Scope.Basis), Note: format.Share(lost, t.Cost),
	}
	if least.Cmp(lost) < 0 {
		fact.Note = format.ShareSpan(least, lost, t.Cost) + " "
		fact.Tag = page.AssumedLost
	}
	o.Facts = append(o.Facts, fact)
}

// The four causes that small stacks show; the rest is one grey part.
var stackCauses = []ledger.Cause{ledger.Used, ledger.HeldIdle, ledger.Lost, ledger.Free}

var stepNames = map[metrics.Granularity]string{
	metrics.Hour: "hour", metrics.Day: "day", metrics.Week: "week", metrics.Month: "month",
}

func (c *cube) stepLabel(at period.Second, first bool) string {
	t := at.Time()
	switch c.Step {
	case metrics.Hour:
		if first || t.Hour() == 0 {
			return t.Format("2 Jan 15:04")
		}
		return t.Format("15:04")
	case metrics.Month:
		return t.Format("Jan 06")
	}
	if first || t.Day() == 1 || (c.Step == metrics.Week && t.Day() <= 7) {
		return t.Format("2 Jan")
	}
	return t.Format("2")
}

// ticks says which steps the axis names: about eight, on round days and hours.
func (c *cube) ticks(steps []period.Second) []bool {
	out := make([]bool, len(steps))
	every := len(steps)/10 + 1
	// A midnight soon after the first step is labelled with the day, so the first step gets no label.
	midnight := slices.IndexFunc(steps, func(at period.Second) bool { return at == at.Floor(period.Day) })
	crowded := midnight > 0 && midnight <= len(steps)/5
	for i, at := range steps {
		t := at.Time()
		switch {
		case c.Step == metrics.Day && len(steps) > 16:
			out[i] = i == 0 || t.Day() == 1 || (t.Day()%5 == 0 && t.Day() != 30 && i > 2)
		case c.Step == metrics.Hour:
			out[i] = i == 0 && !crowded || t.Hour()%6 == 0 && (i > 3 || crowded && i > 0)
		default:
			out[i] = i%every == 0
		}
	}
	return out
}

func currencyWord(c format.Currency) string {
	if c == "" {
		return "cost"
	}
	return string(c)
}

// flowOwner is a row's node on the right side of the flow: its team, or the constant
// noTeam for time and contracts without a team.
func flowOwner(r costRow) string {
	if r.Team != page.Unowned && r.Team != "" {
		return r.Team
	}
	switch r.Cause {
	case ledger.Free, ledger.Stranded, ledger.Unavailable, ledger.CommitmentUnused, ledger.CommitmentFee:
		return noTeam
	}
	return page.Unowned
}

// noTeam cannot be a team name, because labels cannot contain NUL.
const noTeam = "\x00nobody"

// flowLetters and lineLetters are the room for a team's name at the right end of the flow and of the lines.
const (
	flowLetters = 24
	lineLetters = 20
	thinLetters = 12 // in the small drawing
)

// fitted shortens a name to its room; title is the full name then.
func fitted(name string, letters int) (short, title string) {
	if short = page.Shorten(name, letters); short != name {
		title = name
	}
	return short, title
}

// mostOwners limits the teams that the flow names; the rest is one node.
const mostOwners = 9

// dollar fills in the strip with cents, the flow from price class through cause to team,
// and their tables.
func dollar(p *page.Context, o *views.Overview, c *cube, t *sums) {
	least := t.lostAtLeast()
	o.Dollar.Strip = page.CauseStrip(p.Currency, "head", t.ByCause, &least)
	o.Dollar.Causes = causeTable(p, t)
	classes := by(c, func(r costRow) string { return group(p, r) })
	owners := by(c, flowOwner)
	name, key, other := grouping(p)
	o.Dollar.Title = "Where each dollar went"
	if p.Currency != "USD" {
		o.Dollar.Title = "Where the money went"
	}
	o.Dollar.Scope = strings.ToLower(name) + " → cause → team"
	f := chart.Flow{
		Height: 392, Label: "Spend from " + strings.ToLower(name) + " over cause to team: " + o.Dollar.Strip.Label,
	}
	left, mid, right := map[string]int{}, map[ledger.Cause]int{}, map[string]int{}
	for _, class := range groupOrder(p, classes) {
		if g := classes[class]; g.Cost.Sign() > 0 {
			left[class] = len(f.Left)
			f.Left = append(f.Left, chart.FlowNode{Name: class, Detail: p.Currency.Compact(g.Cost)})
		}
	}
	for _, info := range ledger.Causes {
		if a := t.ByCause[info.Cause]; a.Sign() > 0 {
			mid[info.Cause] = len(f.Mid)
			n := chart.FlowNode{Name: info.Label, Detail: p.Currency.Compact(a), Class: string(info.Cause)}
			if info.Cause == ledger.Lost && !t.LostAssumed.IsZero() {
				n.Detail = "up to " + n.Detail
			}
			f.Mid = append(f.Mid, n)
		}
	}
	var named []string
	for _, team := range largestOf(owners) {
		if team != noTeam && team != page.Unowned && owners[team].Cost.Sign() > 0 {
			named = append(named, team)
		}
	}
	var rest sums
	if len(named) > mostOwners {
		for _, team := range named[mostOwners-1:] {
			addSums(&rest, owners[team])
			right[team] = mostOwners - 1
		}
		named = named[:mostOwners-1]
	}
	ownerNode := func(name string, g *sums) chart.FlowNode {
		n := chart.FlowNode{
			Detail: p.Currency.Compact(g.Cost),
			More:   format.WholePercent(g.ByCause[ledger.Used].Rat(), g.Cost.Rat()) + " used",
		}
		n.Name, n.Title = fitted(name, flowLetters)
		return n
	}
	for _, team := range named {
		right[team] = len(f.Right)
		f.Right = append(f.Right, ownerNode(team, owners[team]))
	}
	if rest.ByCause != nil {
		f.Right = append(f.Right, ownerNode(format.Plural(len(right)-len(named), "other team", "other teams"), &rest))
	}
	if g, ok := owners[page.Unowned]; ok && g.Cost.Sign() > 0 {
		right[page.Unowned] = len(f.Right)
		f.Right = append(f.Right, ownerNode("Held, no team", g))
	}
	if g, ok := owners[noTeam]; ok && g.Cost.Sign() > 0 {
		right[noTeam] = len(f.Right)
		f.Right = append(f.Right, chart.FlowNode{Name: "Not held", Detail: p.Currency.Compact(g.Cost), Nobody: true})
	}
	order, net := flows(p, c) // net, since fees and what amortises of them take each other back
	for _, k := range order {
		l, okL := left[k.group]
		m, okM := mid[ledger.Cause(k.cause)]
		w, okR := right[k.owner]
		if cost := net[k].Cost; okL && okM && okR && cost.Sign() > 0 {
			f.Links = append(f.Links, chart.FlowLink{Left: l, Mid: m, Right: w, Value: page.Pixels(cost)})
		}
	}
	o.Dollar.Flow = f.Draw()
	o.Dollar.Twin = flowTable(p, c)
	o.Dollar.Links = []views.Link{
		p.Twin(), page.Defined("figure.by_cause"),
		{Text: "CSV", Href: p.Scope.API("costs", metrics.Options{GroupBy: key + ",cause,team"})},
	}
	if len(providers(c)) > 1 || byProvider(p.Scope) {
		o.Dollar.Links = append([]views.Link{other}, o.Dollar.Links...)
	}
	o.Dollar.Notes = notes(p, c)
}

// notes are the foot notes of money panels: basis, sharing, excluded cost, policy.
func notes(p *page.Context, c *cube) []string {
	notes := []string{
		page.BasisNames[p.Scope.Basis][0] + " cost, " + p.Sharing() + ", " + string(p.Currency),
		"Causes are exclusive and add up to the headline.",
	}
	if !c.NonGPU.IsZero() {
		notes = append(notes, p.Currency.Money(c.NonGPU)+" outside the GPU fleet is not included.")
	}
	if !c.Unpriced.IsZero() {
		notes = append(notes, format.GPUHours(c.Unpriced)+" GPU-hours held have no bill or rate.")
	}
	if c.Missing > 0 {
		notes = append(notes, "Part of the bill states no "+p.Scope.Basis+" cost.")
	}
	if p.Policy != "" {
		notes = append(notes, "Policy "+p.Policy)
	}
	return notes
}

// groupOrder lists price classes in their fixed order, providers by cost.
func groupOrder(p *page.Context, groups map[string]*sums) []string {
	var order []string
	if !byProvider(p.Scope) {
		for _, name := range classNames {
			if groups[name] != nil {
				order = append(order, name)
			}
		}
	}
	for _, name := range largestOf(groups) {
		if !slices.Contains(order, name) {
			order = append(order, name)
		}
	}
	return order
}

func addSums(to, from *sums) {
	if to.ByCause == nil {
		to.ByCause = map[ledger.Cause]money.Amount{}
	}
	for cause, a := range from.ByCause {
		to.ByCause[cause] = to.ByCause[cause].Add(a)
	}
	to.priced = to.priced || from.priced
	page.Add(&to.Cost, from.Cost)
	page.Add(&to.LostAssumed, from.LostAssumed)
	page.Add(&to.GPUHours, from.GPUHours)
	page.Add(&to.Active, from.Active)
	page.Add(&to.Capacity, from.Capacity)
}
