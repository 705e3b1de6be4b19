package costs

import (
	"cmp"
	"context"
	"math/big"
	"net/http"
	"slices"
	"sort"

	"github.com/a-h/templ"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/books"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/dashboard/review"
	"gpuledger/web/dashboard/work"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// overviewFacts holds what the overview reads; each part may fail alone.
type overviewFacts struct {
	cube    *cube
	against *against // nil when there is nothing to compare with
	runs    []work.Run
	books   []books.Book
	imports []books.Import
	drops   books.Drops
	cubeErr error
	runsErr error

	targets    []targetDay
	targetsErr error
	booksErr   error

	budgets []*review.Budget // empty when they could not be read

	standing metrics.Standing // empty when it could not be read
	doubles  metrics.Doubles  // likewise

	perActive    map[string]*big.Rat // cost per active GPU-hour, by currency
	perActiveErr error

	unitTargets    metrics.UnitTargets
	unitTargetsErr error
	served         map[string]served // by currency; empty where the filter does not narrow them
	inPart         bool              // the reader has a scope

	tree []string // keys of the tree of costs
	now  period.Second
}

// overview answers where each GPU dollar went.
func (d *room) overview(w http.ResponseWriter, r *http.Request) {
	r = r.WithContext(metrics.AskOnce(r.Context()))
	s, err := page.ReadScope(r)
	if err == nil {
		_, err = treeKeys(s)
	}
	if err != nil {
		d.Refused(w, r, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), page.PanelTimeout)
	defer cancel()
	extent, err := d.Reader.Extent(ctx)
	if err != nil {
		d.Broken(w, r, s, "overview", err)
		return
	}
	s = s.Shown(extent)
	p := &page.Context{Scope: s, Extent: extent}
	shell := d.Shell(r, s, "overview", "Overview")
	shell.Earlier, shell.Later = p.Neighbours()
	lane, parts := d.Lane(r)
	if lane.Only() {
		lane.Stream(w, r, views.OverviewPage(d.facts(ctx, parts, lane, p, shell)))
		return
	}
	inner := shell
	inner.Inside = true
	shell.Bar.AsOf = p.Bar(page.Choices{}).AsOf
	shell.Content = lane.Start(parts, s, page.Part{
		Name: "overview", Title: "The overview", Heading: "The overview could not be read.", Frame: &inner,
		Draw: func(ctx context.Context) (templ.Component, error) {
			return views.OverviewPage(d.facts(ctx, parts, lane, p, inner)), nil
		},
	})
	lane.Stream(w, r, views.Framed(shell))
}

// facts reads the overview and starts its panels, whose context is that of the answer's parts.
func (d *room) facts(
	ctx, parts context.Context, lane *page.Lane, p *page.Context, shell views.Shell,
) views.Overview {
	f := overviewFacts{now: period.FromTime(d.Now()), inPart: access.From(ctx).Bounded()}
	f.tree, _ = treeKeys(p.Scope) // overview has refused any others
	s, extent := p.Scope, p.Extent
	reads := []func(){func() { f.cube, f.cubeErr = readCube(ctx, d.Reader, s) }}
	if lane.Wants("spend") { // below the page's headline
		reads = append(reads, func() { f.perActive, f.perActiveErr = readPerActive(ctx, d.Reader, s) }, func() {
			// The page works without them.
			if list, err := review.ReadOver(ctx, d.Reader, s.Span); err == nil {
				f.budgets = list
			}
		})
	}
	if lane.Wants("spend") || lane.Wants("bridge") {
		reads = append(reads, func() {
			// The page works without a comparison.
			if a, err := readAgainst(ctx, d.Reader, s, extent); err == nil {
				f.against = a
			}
		})
	}
	if lane.Wants("") { // the panels need none of it
		reads = append(reads, d.readAround(ctx, p, &f)...)
	}
	page.Parallel(reads...)
	return d.overviewView(parts, lane, p, shell, f)
}

// readAround reads what the page shows around its panels.
func (d *room) readAround(ctx context.Context, p *page.Context, f *overviewFacts) []func() {
	s := p.Scope
	return []func(){
		func() { f.runs, f.runsErr = work.ReadRuns(ctx, d.Reader, s, "-"+s.Basis+"_cost") },
		func() { f.targets, f.targetsErr = readTargets(ctx, d.Reader, s) },
		func() {
			if f.unitTargets, f.unitTargetsErr = readUnitTargets(ctx, d.Reader, p); f.unitTargetsErr == nil {
				f.served, f.unitTargetsErr = readServed(ctx, d.Reader, s, f.unitTargets)
			}
		},
		func() {
			if f.books, f.booksErr = books.ReadBooks(ctx, d.Reader); f.booksErr == nil {
				f.imports, f.booksErr = books.ReadImports(ctx, d.Reader, metrics.Options{})
			}
			if f.booksErr == nil {
				f.drops, f.booksErr = books.ReadDrops(ctx, d.Reader)
			}
			p.Policy = d.Policy(ctx)
			p.Unshared, _ = page.Unshared(ctx, d.Reader, s) // the menu works without it
		},
		func() {
			if s.Filtered() { // both sentences are about the whole fleet
				return
			}
			// The page works without them.
			if standing, err := metrics.ReadStanding(ctx, d.Reader, metrics.Options{From: s.From, To: s.To}); err == nil {
				f.standing = standing
			}
			if doubles, err := metrics.ReadDoubles(ctx, d.Reader); err == nil {
				f.doubles = doubles
			}
		},
	}
}

// overviewView turns facts into the page.
func (d *room) overviewView(
	ctx context.Context, lane *page.Lane, p *page.Context, shell views.Shell, f overviewFacts,
) views.Overview {
	o := views.Overview{Shell: shell, AsTable: p.Scope.AsTable, Errors: map[string]views.PanelError{}}
	if f.booksErr != nil {
		o.Errors["books"] = d.PanelError(p.Scope, f.booksErr, "The books")
	} else {
		now := period.FromTime(d.Now())
		o.Troubles = books.TroubleAlerts(p, books.Troubles(f.imports, f.drops, now, p.Extent.Data), now)
	}
	if f.cubeErr != nil {
		e := d.PanelError(p.Scope, f.cubeErr, "The spend of the period")
		o.Sentence, o.Sub = "The spend of this period could not be read.", "The panels below do not depend on it."
		for _, panel := range []string{"daily", "dollar", "teams"} {
			o.Errors[panel] = e
		}
	} else {
		c := f.cube
		p.Currency = format.Currency(c.Currency)
		total := c.total()
		if partly(p, &o, c, total, f) {
			return o
		}
		if f.booksErr == nil {
			o.Books = booksOf(p, f.books)
		}
		o.Sentence, o.Sub = overviewSentence(p, total)
		if more := page.Elsewhere(c.Currency, c.Currencies, c.Spent); more != "" {
			o.Sub += " " + more
		}
		if len(f.standing.Unbilled) > 0 {
			o.Sub += " " + f.standing.Sentence()
		}
		if text := f.doubles.Sentence(); text != "" {
			o.Sub += " " + text
		}
		p.Estimates = f.standing.Estimates
		headline(p, &o, c, total, f.against)
		if b := budgetOf(p, f.budgets); b != nil {
			o.Facts = withBudget(o.Facts, budgetFacts(p, b))
		}
		startPanels(ctx, lane, p, &o, f)
		if f.unitTargetsErr == nil {
			f.unitTargets, f.unitTargetsErr = f.unitTargets.In(ctx, d.Reader, string(p.Currency))
		}
		dollar(p, &o, c, total)
		teams(p, &o, c, total)
		classes(p, &o, c, total)
		tiles(p, &o, c, total, f)
		if f.targetsErr != nil {
			o.Errors["targets"] = d.PanelError(p.Scope, f.targetsErr, "The targets")
		} else {
			o.Targets = targetTiles(p, f.targets)
		}
		attention(p, &o, f, total)
	}
	if f.runsErr != nil {
		o.Errors["runs"] = d.PanelError(p.Scope, f.runsErr, "The runs")
	} else {
		work.TopRuns(p, &o, f.runs)
	}
	if f.booksErr == nil {
		o.Books = booksOf(p, f.books)
	}
	var from page.Choices
	if f.cube != nil {
		from = page.Choices{
			Teams:     largestOf(by(f.cube, func(r costRow) string { return r.Team })),
			Providers: providers(f.cube), Currencies: f.cube.Currencies, Sharing: true, Compared: true, Dataset: "costs",
		}
	}
	tags := o.Bar.Tags
	o.Bar = p.Bar(from)
	o.Bar.Tags = tags
	return o
}

// booksOf shows one line per source of the newest month that the page covers, in billed
// cost if the bills state it.
func booksOf(p *page.Context, rows []books.Book) views.Books {
	b := views.Books{Title: "Books", Href: p.Scope.Carried("/reconciliation"), None: "No bill has been imported yet."}
	latest := newestMonth(rows, p.Scope.Span)
	if latest == "" && len(rows) > 0 {
		b.None = "No bill of this period has been imported yet."
	}
	sum := map[bookKey]*books.Book{}
	accounts := map[bookKey][]string{}
	var order []bookKey
	for _, r := range rows {
		if r.BillingPeriod != latest || r.Role != string(ledger.Book) || r.Metric != bookMetric(p, rows, latest) ||
			r.Total == nil {
			continue
		}
		k := bookKey{r.Source, r.Provider, r.Currency}
		if sum[k] == nil {
			sum[k] = &books.Book{
				Source: r.Source, Provider: r.Provider, Currency: r.Currency,
				Total: &money.Amount{}, Difference: &money.Amount{}, State: ledger.Final,
			}
			order = append(order, k)
		}
		t := sum[k]
		if !slices.Contains(accounts[k], r.Account) {
			accounts[k] = append(accounts[k], r.Account)
		}
		page.Add(t.Total, *r.Total)
		if r.Difference != nil {
			page.Add(t.Difference, *r.Difference)
		}
		if r.State != ledger.Final {
			t.State = r.State
		}
	}
	sort.Slice(order, func(i, j int) bool {
		a, b := order[i], order[j]
		return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.provider, b.provider),
			cmp.Compare(a.currency, b.currency)) < 0
	})
	ties := 0
	for _, k := range order {
		t, c := sum[k], format.Currency(k.currency)
		name := page.ProviderName(k.provider)
		if sameProvider(order, k) {
			name = ledger.SourceOf(k.source).Label
		}
		row := views.BookRow{
			Name: name, Account: accountsName(accounts[k]), Source: ledger.SourceOf(k.source).Label,
			Total:      page.Figure(c, t.Total, c.Full, "bill"),
			Difference: page.Figure("", t.Difference, format.Currency("").Full, "bill − posted"), State: page.StateTag(t.State),
		}
		if row.Off = !t.Difference.IsZero(); !row.Off {
			row.Difference.Text = "0.00"
			ties++
		}
		b.Rows = append(b.Rows, row)
	}
	if m := period.Month(latest); latest != "" {
		if i, err := m.Interval(); err == nil {
			b.Title = "Books, " + format.Month(i.From)
		}
		b.Note = format.Count(int64(ties)) + " of " + format.Count(int64(len(order))) + " tie out"
	}
	return b
}

// newestMonth is the newest billing period of books that overlaps a span; an empty span
// matches all.
func newestMonth(rows []books.Book, span period.Interval) (newest string) {
	for _, r := range rows {
		hours, err := period.Month(r.BillingPeriod).Interval()
		if span.Empty() || err == nil && !hours.Intersect(span).Empty() {
			newest = max(newest, r.BillingPeriod)
		}
	}
	return newest
}

// bookKey identifies a line of the books panel.
type bookKey struct{ source, provider, currency string }

// sameProvider reports whether another source bills for the same provider, so that the
// provider's name does not distinguish them.
func sameProvider(list []bookKey, k bookKey) bool {
	return slices.ContainsFunc(list, func(x bookKey) bool {
		return x.source != k.source && page.ProviderName(x.provider) == page.ProviderName(k.provider)
	})
}

func accountsName(list []string) string {
	if len(list) == 1 && list[0] != "" {
		return "account " + page.Middle(list[0], 18)
	}
	return format.Plural(len(list), "account", "accounts")
}

// bookMetric is billed cost if a bill states it, else the page's basis.
func bookMetric(p *page.Context, rows []books.Book, month string) string {
	for _, r := range rows {
		if r.BillingPeriod == month && r.Role == string(ledger.Book) && r.Metric == string(ledger.BilledCost) {
			return r.Metric
		}
	}
	return p.Scope.Basis + "_cost"
}
