package costs

import (
	"strings"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/web/dashboard/books"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/dashboard/work"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// mostAlerts limits the alerts that the overview lists before "All N".
const mostAlerts = 4

// attention lists problems that the ledger itself shows; it compares nothing with targets.
func attention(p *page.Context, o *views.Overview, f overviewFacts, t *sums) {
	var bad, warn, plain []views.Alert
	imports := page.OwnerOf("", "", access.RolePlatform)
	close := page.NoDate
	if m := openMonth(p, f.books); m != "" {
		close = page.BeforeClose(m)
	}
	for _, b := range f.books {
		if b.Difference != nil && !b.Difference.IsZero() {
			bad = append(bad, views.Alert{Tone: "bad", What: ledger.SourceOf(b.Source).Label + ", " + b.BillingPeriod +
				", does not tie out",
				Detail: format.Currency(b.Currency).Full(*b.Difference) + " of " + strings.TrimSuffix(b.Metric, "_cost") +
					" cost is not posted", Href: p.Scope.Carried("/reconciliation"),
				Owner: page.OwnerOf("", "", access.RoleAnalyst), Due: page.BeforeClose(period.Month(b.BillingPeriod))})
		}
	}
	for _, i := range f.imports {
		if i.Source.Bill { // shown by books.TroubleAlerts
			continue
		}
		if i.State == "refused" {
			bad = append(bad, views.Alert{
				Tone: "bad", What: "An import of " + i.Source.Label + " was refused",
				Detail: format.Day(i.Finished) + ": " + page.Shorten(i.Message, 160), Href: p.Scope.Carried("/data/" + i.ID),
				Owner: imports, Due: page.NoDate,
			})
			continue
		}
		if i.Refused > 0 {
			warn = append(warn, views.Alert{Tone: "warn",
				What: format.Plural(int(i.Refused), "file or delivery", "files or deliveries") + " of " + i.Source.Label +
					" refused",
				Detail: format.Day(i.Finished) + "; the rest was imported", Href: p.Scope.Carried("/data/" + i.ID),
				Owner: imports, Due: page.NoDate})
		}
		if i.Rejected > 0 {
			warn = append(warn, views.Alert{Tone: "warn", What: format.Plural(int(i.Rejected), "row", "rows") + " of " +
				i.Source.Label + " rejected",
				Detail: format.Day(i.Finished) + ", of " + format.Count(i.Read) + " read; the rest was imported",
				Href:   p.Scope.Carried("/data/" + i.ID), Owner: imports, Due: page.NoDate})
		}
	}
	over, near := budgetAlerts(p, f.budgets, f.now)
	bad, warn = append(over, bad...), append(near, warn...)
	assumed := assumedLoss(p, f.runs)
	if assumed != nil {
		warn = append(warn, *assumed)
	}
	if a := t.ByCause[ledger.Unobserved]; atLeastPercent(a, t.Cost, 1) {
		warn = append(warn, views.Alert{Tone: "warn", What: format.Share(a, t.Cost) + " of spend is unobserved",
			Detail: p.Currency.Money(a) + " of time without telemetry or placements, so neither idle nor used",
			Href:   p.Scope.Carried("/data"), Owner: imports, Due: page.NoDate})
	}
	if a := t.ByCause[ledger.CommitmentUnused]; atLeastPercent(a, t.Cost, 5) {
		plain = append(plain, views.Alert{What: p.Currency.Money(a) + " of commitments went unused",
			Detail: format.Share(a, t.Cost) + " of spend; bills do not state when a commitment ends",
			Href:   p.Scope.Carried("/commitments"), Owner: page.OwnerOf("", "", access.RoleAnalyst), Due: page.NoDate})
	}
	if a, ok := costliestLoss(p, f.runs); ok && (assumed == nil || a.Href != assumed.Href) {
		plain = append(plain, a)
	}
	if f.cube != nil {
		if a, ok := idlestTeam(p, f.cube); ok {
			plain = append(plain, a)
		}
		groups := by(f.cube, flowOwner)
		if g, ok := groups[page.Unowned]; ok && atLeastPercent(g.Cost, t.Cost, 1) {
			plain = append(plain, views.Alert{What: p.Currency.Money(g.Cost) + " of held time has no team",
				Detail: format.Share(g.Cost, t.Cost) + " of spend: label these pods or their namespaces",
				Href:   p.Scope.With("team", page.Unowned), Owner: imports, Due: close})
		}
		if !f.cube.Unpriced.IsZero() {
			plain = append(plain, views.Alert{
				What:   format.GPUHours(f.cube.Unpriced) + " GPU-hours have no price",
				Detail: "no bill or rate covers them; import a price book",
				Owner:  page.OwnerOf("", "", access.RoleAnalyst), Due: close, Href: p.Scope.Carried("/coverage"),
			})
		}
	}
	all := append(append(bad, warn...), plain...)
	o.Attention.None = "Nothing needs attention. Checked: reconciliation, imports, losses without a checkpoint, " +
		"unobserved and unowned spend."
	if len(all) > mostAlerts && !p.Scope.All {
		o.Attention.All = &views.Link{Text: "All " + format.Count(int64(len(all))), Href: p.Scope.With("attention", "all")}
		all = all[:mostAlerts]
	}
	o.Attention.Alerts = all
}

// openMonth is the oldest billing month of the page's period that is not closed; empty if there is none.
func openMonth(p *page.Context, rows []books.Book) (oldest period.Month) {
	for _, b := range rows {
		hours, err := period.Month(b.BillingPeriod).Interval()
		if err == nil && b.State != ledger.Final && b.Role == string(ledger.Book) && !hours.Intersect(p.Shown()).Empty() &&
			(oldest == "" || period.Month(b.BillingPeriod) < oldest) {
			oldest = period.Month(b.BillingPeriod)
		}
	}
	return oldest
}

func atLeastPercent(part, whole money.Amount, percent int64) bool {
	limit := whole.MulRat(money.FromUnits(percent * money.UnitsPerOne).Rat())
	return part.MulRat(money.MustParse("100").Rat()).Cmp(limit) >= 0 && part.Sign() > 0
}

// assumedLoss sums the assumed losses of runs without a checkpoint.
func assumedLoss(p *page.Context, runs []work.Run) *views.Alert {
	var sum money.Amount
	n := 0
	var worst work.Run
	var worstGap money.Amount
	for _, r := range runs {
		if r.Currency != string(p.Currency) {
			continue
		}
		gap := r.Lost.Sub(r.LostMin)
		if gap.Sign() <= 0 {
			continue
		}
		n++
		page.Add(&sum, gap)
		if gap.Cmp(worstGap) > 0 {
			worst, worstGap = r, gap
		}
	}
	if n == 0 {
		return nil
	}
	a := &views.Alert{Tone: "warn", What: format.Plural(n, "run", "runs") + " lost up to " + p.Currency.Compact(sum) +
		" without a checkpoint",
		Owner: page.OwnerOf("team", worst.Team, access.RolePlatform), Due: page.NoDate,
		Detail: "most in " + worst.Name + ": up to " + p.Currency.Money(worstGap),
		Href:   p.Scope.Carried(page.RunPath("/runs/", worst.ID))}
	if worst.Cost != nil && !worst.Cost.IsZero() {
		a.Detail += " of its " + p.Currency.Money(*worst.Cost)
	}
	return a
}

// costliestLoss names the run that lost most, if it lost at least 1 % of its cost.
func costliestLoss(p *page.Context, runs []work.Run) (views.Alert, bool) {
	var worst work.Run
	for _, r := range runs {
		if r.Currency == string(p.Currency) && r.Lost.Cmp(worst.Lost) > 0 {
			worst = r
		}
	}
	if worst.Cost == nil || !atLeastPercent(worst.Lost, *worst.Cost, 1) {
		return views.Alert{}, false
	}
	return views.Alert{What: worst.Name + " lost " + p.Currency.Span(worst.LostMin, worst.Lost),
		Detail: format.Share(worst.Lost, *worst.Cost) + " of its cost, " +
			format.Plural(int(worst.Attempts), "attempt", "attempts") + ", " + endedDay(worst),
		Owner: page.OwnerOf("team", worst.Team, access.RolePlatform), Due: page.NoDate,
		Href: p.Scope.Carried(page.RunPath("/runs/", worst.ID))}, true
}

func endedDay(r work.Run) string {
	if r.Ended == 0 {
		return "still running"
	}
	return "ended " + format.Day(r.Ended)
}

// idlestTeam names the team with the highest held-idle cost, if that is at least 10 % of its spend.
func idlestTeam(p *page.Context, c *cube) (views.Alert, bool) {
	groups := by(c, func(r costRow) string { return r.Team })
	team, most := "", money.Amount{}
	for _, name := range largestOf(groups) {
		if a := groups[name].ByCause[ledger.HeldIdle]; name != page.Unowned && a.Cmp(most) > 0 {
			team, most = name, a
		}
	}
	if team == "" || !atLeastPercent(most, groups[team].Cost, 10) {
		return views.Alert{}, false
	}
	return views.Alert{What: p.Currency.Money(most) + " held idle in " + page.TeamName(team),
		Detail: format.Share(most, groups[team].Cost) + " of the team's spend", Href: p.Scope.With("team", team),
		Owner: page.OwnerOf("team", team, access.RolePlatform), Due: page.NoDate}, true
}
