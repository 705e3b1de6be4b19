package dashboard

import (
	"cmp"
	"context"
	"math/big"
	"net/http"
	"slices"
	"sort"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// overviewFacts is what the overview is made of; each part may have failed on
// its own.
type overviewFacts struct {
	cube    *cube
	before  *cube // the period of equal length before, nil when there is none
	runs    []runRow
	books   []bookRow
	imports []importRow
	cubeErr error
	runsErr error

	targets    []targetDay
	targetsErr error
	booksErr   error

	standing metrics.Standing // empty when it could not be read

	perActive    map[string]*big.Rat // cost per active GPU-hour, by currency
	perActiveErr error
}

type bookRow struct {
	Source, Provider, Payer, Account, BillingPeriod, Currency, Metric, Role, Delivery string
	Total, Posted, Difference, Gap                                                    *money.Amount
	Charges, Unposted                                                                 int64
	State                                                                             ledger.State
}

// off reports whether something of a book is not posted.
func (r bookRow) off() bool { return r.Difference != nil && !r.Difference.IsZero() }

func readBooks(ctx context.Context, reader Reader) ([]bookRow, error) {
	var out []bookRow
	err := each(ctx, reader, "reconciliation", metrics.Options{}, nil, func(r record) error {
		out = append(out, bookRow{
			Source: r.text("source"), Provider: r.text("provider"), Payer: r.text("billing_account"), Account: r.text("account"), BillingPeriod: r.text("billing_period"),
			Currency: r.text("currency"), Metric: r.text("metric"), Role: r.text("role"), Delivery: r.text("delivery_id"),
			Total: r.amount("source_total"), Posted: r.amount("posted_total"), Difference: r.amount("difference"), Gap: r.amount("evidence_gap"),
			Charges: r.count("charges"), Unposted: r.count("unposted_charges"), State: ledger.State(r.text("state")),
		})
		return nil
	})
	return out, err
}

// overview answers where each GPU dollar went.
func (d *Dashboard) overview(w http.ResponseWriter, r *http.Request) {
	s, err := readScope(r)
	if err != nil {
		d.refused(w, r, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), panelTimeout)
	defer cancel()
	extent, err := d.reader.Extent(ctx)
	if err != nil {
		d.broken(w, r, s, "overview", err)
		return
	}
	s = s.within(extent)
	var f overviewFacts
	p := &pageContext{scope: s, extent: extent}
	parallel(
		func() { f.cube, f.cubeErr = readCube(ctx, d.reader, s) },
		func() { f.perActive, f.perActiveErr = readPerActive(ctx, d.reader, s) },
		func() { f.runs, f.runsErr = readRuns(ctx, d.reader, s, "-"+s.Basis+"_cost") },
		func() { f.targets, f.targetsErr = readTargets(ctx, d.reader, s) },
		func() {
			if f.books, f.booksErr = readBooks(ctx, d.reader); f.booksErr == nil {
				f.imports, f.booksErr = readImports(ctx, d.reader, metrics.Options{})
			}
			p.policy = d.policy(ctx)
		},
		func() {
			if s.filtered() { // it is of the whole fleet
				return
			}
			if standing, err := metrics.ReadStanding(ctx, d.reader, metrics.Options{From: s.From, To: s.To}); err == nil { // without it the page only says less
				f.standing = standing
			}
		},
		func() {
			earlier, ok := s.before(extent)
			if !ok {
				return
			}
			// Without the earlier period the page only says less.
			if before, err := readCube(ctx, d.reader, earlier); err == nil {
				f.before = before
			}
		},
	)
	shell := d.shell(r, s, "overview", "Overview")
	shell.Earlier, shell.Later = p.neighbours()
	d.render(w, r, http.StatusOK, views.OverviewPage(d.overviewView(p, shell, f)))
}

// before is the period of equal length that ends where this one starts, if
// the ledger reaches that far back. Of a period that is not over yet, only as
// much of the one before counts.
func (s scope) before(extent period.Interval) (scope, bool) {
	if s.window.From == 0 || s.window.To == 0 || s.window.From <= extent.From {
		return scope{}, false
	}
	length := period.Second(s.window.Seconds())
	month := period.MonthOf(s.window.From)
	from := s.window.From - length
	if month == s.window { // a whole month compares with the whole month before
		from = period.MonthOf(month.From - 1).From
	}
	to := s.window.From
	if over := min(s.window.To, extent.To) - s.window.From; extent.To < s.window.To {
		to = min(to, from+over)
	}
	if from < extent.From || to <= from {
		return scope{}, false
	}
	s.To, s.From = address(to), address(from)
	s.window = period.Interval{From: from, To: to}
	s.span = s.window
	return s, true
}

// overviewView turns facts into the page.
func (d *Dashboard) overviewView(p *pageContext, shell views.Shell, f overviewFacts) views.Overview {
	o := views.Overview{Shell: shell, AsTable: p.scope.AsTable, Errors: map[string]views.PanelError{}}
	if f.booksErr != nil {
		o.Errors["books"] = d.panelError(p.scope, f.booksErr, "The books")
	}
	if f.cubeErr != nil {
		e := d.panelError(p.scope, f.cubeErr, "The spend of the period")
		o.Sentence, o.Sub = "The spend of this period could not be read.", "What is shown below is complete without it."
		for _, panel := range []string{"daily", "dollar", "teams"} {
			o.Errors[panel] = e
		}
	} else {
		c := f.cube
		p.currency = format.Currency(c.Currency)
		total := c.total()
		if p.partly(&o, c, total, f) {
			return o
		}
		if f.booksErr == nil {
			o.Books = p.books(f.books)
		}
		o.Sentence, o.Sub = overviewSentence(p, total)
		if more := elsewhere(c.Currency, c.Currencies, c.Spent); more != "" {
			o.Sub += " " + more
		}
		if len(f.standing.Unbilled) > 0 {
			o.Sub += " " + f.standing.Sentence()
		}
		p.headline(&o, c, total, f.before)
		p.daily(&o, c)
		p.dollar(&o, c, total)
		p.teams(&o, c, total)
		p.classes(&o, c, total)
		p.tiles(&o, c, total, f)
		if f.targetsErr != nil {
			o.Errors["targets"] = d.panelError(p.scope, f.targetsErr, "The targets")
		} else {
			o.Targets = p.targetTiles(f.targets)
		}
		p.attention(&o, f, total)
	}
	if f.runsErr != nil {
		o.Errors["runs"] = d.panelError(p.scope, f.runsErr, "The runs")
	} else {
		p.topRuns(&o, f.runs)
	}
	if f.booksErr == nil {
		o.Books = p.books(f.books)
	}
	var from choices
	if f.cube != nil {
		from = choices{teams: largestOf(by(f.cube, func(r costRow) string { return r.Team })), providers: providers(f.cube), currencies: f.cube.Currencies, sharing: true}
	}
	tags := o.Bar.Tags
	o.Bar = p.bar(from)
	o.Bar.Tags = tags
	if len(f.runs) > 0 {
		o.Count("Runs", format.Count(int64(len(f.runs))))
	}
	return o
}

// books shows one line per source and period of the newest month, in the
// metric that invoices are paid in where the bill carries it.
func (p *pageContext) books(rows []bookRow) views.Books {
	b := views.Books{Title: "Books", Href: p.scope.carried("/reconciliation"), None: "No bill has been imported yet."}
	latest := ""
	for _, r := range rows {
		latest = max(latest, r.BillingPeriod)
	}
	sum := map[bookKey]*bookRow{}
	accounts := map[bookKey][]string{}
	var order []bookKey
	for _, r := range rows {
		if r.BillingPeriod != latest || r.Role != string(ledger.Book) || r.Metric != p.bookMetric(rows, latest) || r.Total == nil {
			continue
		}
		k := bookKey{r.Source, r.Provider, r.Currency}
		if sum[k] == nil {
			sum[k] = &bookRow{Source: r.Source, Provider: r.Provider, Currency: r.Currency, Total: &money.Amount{}, Difference: &money.Amount{}, State: ledger.Final}
			order = append(order, k)
		}
		t := sum[k]
		if !slices.Contains(accounts[k], r.Account) {
			accounts[k] = append(accounts[k], r.Account)
		}
		add(t.Total, *r.Total)
		if r.Difference != nil {
			add(t.Difference, *r.Difference)
		}
		if r.State != ledger.Final {
			t.State = r.State
		}
	}
	sort.Slice(order, func(i, j int) bool {
		a, b := order[i], order[j]
		return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.provider, b.provider), cmp.Compare(a.currency, b.currency)) < 0
	})
	ties := 0
	for _, k := range order {
		t, c := sum[k], format.Currency(k.currency)
		name := providerName(k.provider)
		if sameProvider(order, k) {
			name = ledger.SourceOf(k.source).Label
		}
		row := views.BookRow{Name: name, Account: accountsName(accounts[k]), Source: ledger.SourceOf(k.source).Label, Total: figure(c, t.Total, c.Full, "bill"), Difference: figure("", t.Difference, format.Currency("").Full, "bill − posted"), State: stateTag(t.State)}
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

// bookKey is a line of the books in short.
type bookKey struct{ source, provider, currency string }

// sameProvider reports whether another source bills for the same provider: then
// the provider's name does not tell them apart.
func sameProvider(list []bookKey, k bookKey) bool {
	return slices.ContainsFunc(list, func(x bookKey) bool {
		return x.source != k.source && providerName(x.provider) == providerName(k.provider)
	})
}

func accountsName(list []string) string {
	if len(list) == 1 && list[0] != "" {
		return "account " + middle(list[0], 18)
	}
	return format.Plural(len(list), "account", "accounts")
}

// bookMetric is billed cost where a bill carries it, else what the page shows.
func (p *pageContext) bookMetric(rows []bookRow, month string) string {
	for _, r := range rows {
		if r.BillingPeriod == month && r.Role == string(ledger.Book) && r.Metric == string(ledger.BilledCost) {
			return r.Metric
		}
	}
	return p.scope.Basis + "_cost"
}
