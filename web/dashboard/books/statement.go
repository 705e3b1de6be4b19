package books

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

var versionHeads = views.Heads(
	"Version: statements.version", "State: statements.state", "Closed: statements.closed_at",
	"Reopened: statements.reopened_at wide-only", "sha256: statements.digest wide-only",
	"Compare: statement_diff.difference_effective_cost",
)

// sheet holds the data behind the parts of a statement page.
type sheet struct {
	*page.Context
	head statementRow
	all  []statementRow // of the account
	// portions are in the shown currency, of all teams; mine are those of the chosen
	// team, or all without one.
	portions, mine []portion
	basis          string
}

// statement shows one version of a statement, or how it differs from another.
func (d *room) statement(w http.ResponseWriter, r *http.Request) {
	s, err := page.ReadStatement(r)
	if err != nil {
		d.Refused(w, r, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), page.PanelTimeout)
	defer cancel()
	switch {
	case s.Pick.Owner != "":
		d.ownerStatement(ctx, w, r, s)
		return
	case access.From(ctx).Bounded(): // statements of accounts cover all teams
		d.noStatement(w, r, s)
		return
	}
	all, err := readStatements(ctx, d.Reader, s.Pick.Payer)
	if err != nil {
		d.Broken(w, r, s, "periods", err)
		return
	}
	head, ok := findStatement(all, s.BillingPeriod, s.Pick.Version)
	if !ok {
		d.noStatement(w, r, s)
		return
	}
	portions, err := readPortions(ctx, d.Reader, head.statementKey, s.Basis)
	if err != nil {
		e := d.PanelError(s, err, "The statement")
		d.Render(w, r, http.StatusOK, views.StatementPage(views.Statement{
			Shell: d.Shell(r, s, "periods", "Statement"), Error: &e,
		}))
		return
	}
	x := &sheet{Context: &page.Context{Scope: s}, head: head, all: all, basis: s.Basis}
	currencies := statementCurrencies(portions)
	x.choose(portions, currencies)
	shell := d.Shell(r, s, "periods", "Statement "+head.Account+" "+head.Month+" v"+strconv.FormatInt(head.Version, 10))
	shell.Query = ""
	shell.Bar = x.statementBar(portions, currencies)
	if s.Against != "" {
		d.statementDiff(ctx, w, r, x, shell)
		return
	}
	d.Render(w, r, http.StatusOK, views.StatementPage(x.document(shell, currencies)))
}

// noStatement answers an address without a statement, or with one that the viewer may not see.
func (d *room) noStatement(w http.ResponseWriter, r *http.Request, s page.Scope) {
	d.Render(w, r, http.StatusNotFound, views.MessagePage(views.Message{
		Shell: d.Shell(r, s, "periods", "No statement"), Sentence: "There is no such statement.",
		Sub:  "The address names an owner and a billing period, or a billing account, a closed period and a version.",
		Link: views.Link{Text: "To chargeback", Href: s.Carried("/chargeback")},
	}))
}

// choose picks the shown currency and fills in portions and mine.
func (x *sheet) choose(list []portion, currencies []string) {
	code := x.Scope.Currency
	if code == "" && len(currencies) > 0 {
		code = currencies[0]
	}
	x.Currency = format.Currency(code)
	for _, p := range list {
		if p.Currency != code {
			continue
		}
		x.portions = append(x.portions, p)
		if x.Scope.Team == "" || p.Team == x.Scope.Team {
			x.mine = append(x.mine, p)
		}
	}
}

func (x *sheet) statementBar(list []portion, currencies []string) views.Bar {
	versions := views.Menu{Label: "Version", Value: strconv.FormatInt(x.head.Version, 10)}
	for _, s := range x.all {
		if s.Month == x.head.Month {
			v := strconv.FormatInt(s.Version, 10)
			versions.Items = append(versions.Items, views.MenuItem{
				Text: v, Note: format.Stamp(s.Closed),
				Href: x.Scope.With("version", v, "against", ""), Current: s.Version == x.head.Version,
			})
		}
	}
	b := views.Bar{Menus: []views.Menu{versions, x.BasisMenu()}}
	if len(currencies) > 1 {
		b.Menus = append(b.Menus, x.CurrencyMenu(currencies, false))
	}
	b.Chips = x.Inapplicable("team")
	if x.Scope.Team != "" {
		b.Chips = append(b.Chips, views.Chip{Label: "team is", Value: page.TeamName(x.Scope.Team), Remove: x.Scope.With("team", "")})
	}
	groups := map[string]money.Amount{}
	for _, p := range list {
		groups[p.Team] = groups[p.Team].Add(absolute(p.Cost))
	}
	filter := &views.Menu{Label: "+ Filter", Items: []views.MenuItem{{Text: "Team"}}}
	for _, team := range page.Largest(groups) {
		filter.Items = append(filter.Items, views.MenuItem{
			Text: page.TeamName(team), Href: x.Scope.With("team", team), Current: team == x.Scope.Team,
		})
	}
	if len(groups) > 0 {
		b.Filter = filter
	}
	return b
}

// document lays out the statement itself.
func (x *sheet) document(shell views.Shell, currencies []string) views.Statement {
	h, month := x.head, page.MonthName(x.head.Month)
	v := views.Statement{
		Shell: shell, Back: views.Link{Text: "Periods", Href: "/periods"},
		Number: h.Account + " " + h.Month + " v" + strconv.FormatInt(h.Version, 10), Digest: h.Digest,
	}
	v.Title = "GPU statement, " + month
	if x.Scope.Team != "" {
		v.Title = page.TeamName(x.Scope.Team) + ": GPU chargeback, " + month
	}
	if i, err := period.Month(h.Month).Interval(); err == nil {
		v.Sub = format.Instant(i.From) + " to " + format.Instant(i.To) + " UTC. Billing account " + h.Account
	}
	sum := total(x.mine, everything)
	amount := views.Headline{
		Name:   "Amount charged, " + x.Currency.Code(),
		Figure: page.Figure(x.Currency, &sum.Cost, x.Currency.Full, x.basis+" cost, after sharing"),
		Rule:   page.Rule(ledger.Final),
	}
	standing := page.StateTag(ledger.Final)
	if h.Reopened != 0 {
		amount.Rule, standing = "", page.StateTag(ledger.Open)
	}
	amount.Tag = &standing
	v.Amounts = []views.Headline{amount}
	v.Facts = x.facts(sum)
	for _, c := range currencies {
		if c != x.Currency.Code() {
			v.Others = append(v.Others, views.Link{Text: "also in " + c, Href: x.Scope.With("currency", c)})
		}
	}
	if len(x.mine) == 0 {
		v.None = "This statement has no such line."
	} else {
		v.Sections = []views.StatementSection{x.causes(), x.pools(), x.adjustments(sum), x.owners()}
	}
	v.Foot = []string{
		"Policy " + strings.ReplaceAll(h.Policies, ",", ", "),
		"Statement " + format.Count(h.Number) + " of the chain", format.Plural(int(h.Lines), "line", "lines"),
	}
	if x.Scope.Team != "" {
		v.Foot = append(v.Foot, "The digest covers the whole statement.")
	}
	v.Links = append(v.Others, views.Link{Text: "CSV", Href: x.download("csv")},
		views.Link{Text: "JSON", Href: x.download("json")})
	if x.Scope.Team != "" {
		v.Links = append(v.Links, views.Link{Text: "All accounts of " + page.TeamName(x.Scope.Team),
			Href: OwnerPath(x.Scope, "team", x.Scope.Team, h.Month)})
	}
	v.Versions = x.versions()
	return v
}

// download is the address of the lines in the API.
func (x *sheet) download(as string) string {
	q := url.Values{
		"format": {as}, "for_excel": {strconv.FormatBool(as == "csv")}, "billing-period": {x.head.Month},
		"filter": {page.Both(lineFilter(x.head.statementKey), page.Equal("team", x.Scope.Team))},
	}
	return "/api/v1/statement_lines?" + q.Encode()
}

// facts fill the line below the amount.
func (x *sheet) facts(sum portion) []views.StatementFact {
	h := x.head
	var list []views.StatementFact
	if h.Reopened == 0 {
		list = append(list, views.StatementFact{
			Word: "Final,", Text: "closed " + format.Stamp(h.Closed) + " by " + h.ClosedBy, Tone: "good",
		})
	} else {
		list = append(list, views.StatementFact{Word: "Reopened", Text: format.Stamp(h.Reopened) + " by " + h.ReopenedBy +
			": " + h.Reason, Tone: "warn"},
			views.StatementFact{Word: "Closed", Text: format.Stamp(h.Closed) + " by " + h.ClosedBy})
	}
	basis := page.BasisNames[x.basis][0]
	shared := "nothing is shared"
	if slices.ContainsFunc(x.portions, func(p portion) bool { return p.shared() }) {
		shared = "after sharing"
	}
	list = append(list, views.StatementFact{Word: basis + ",", Text: shared})
	version := views.StatementFact{Word: "v" + strconv.FormatInt(h.Version, 10), Text: "the first version"}
	if before, ok := findStatement(x.all, h.Month, strconv.FormatInt(h.Version-1, 10)); ok {
		version.Text = "replaces v" + strconv.FormatInt(before.Version, 10) + " of " + format.Day(before.Closed)
	}
	list = append(list, version)
	held := total(x.mine, (*portion).own)
	if held.Cost.Sign() > 0 && sum.Hours {
		list = append(list, views.StatementFact{Word: format.Share(held.Measured, held.Cost), Text: "measured"})
	}
	return list
}

// versions lists the statements of the period, newest first.
func (x *sheet) versions() views.TablePanel {
	t := views.Table{Caption: "Versions of the statement", Heads: versionHeads}
	for _, s := range x.all {
		if s.Month != x.head.Month {
			continue
		}
		v := strconv.FormatInt(s.Version, 10)
		state := views.Tag{Text: "final", Tone: "good"}
		reopened := views.Cell{Figure: views.Figure{Text: "no", Zero: true}}
		if s.Reopened != 0 {
			state = views.Tag{Text: "reopened", Tone: "warn"}
			reopened = views.Cell{
				Figure: views.Figure{Text: format.Stamp(s.Reopened) + " by " + s.ReopenedBy}, Name: true, Sub: s.Reason,
			}
		}
		compare := views.Cell{Figure: views.Figure{Text: "shown", Zero: true}}
		if s.Version != x.head.Version {
			compare = views.Cell{
				Figure: views.Figure{Text: "changes since"},
				Href:   x.Scope.With("against", v, "version", strconv.FormatInt(x.head.Version, 10)),
			}
			if s.Version > x.head.Version {
				compare = views.Cell{
					Figure: views.Figure{Text: "its changes"},
					Href:   x.Scope.With("version", v, "against", strconv.FormatInt(x.head.Version, 10)),
				}
			}
		}
		t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{{Figure: views.Figure{Text: "v" + v},
			Href: x.Scope.With("version", v)}, {Tag: &state},
			{Figure: views.Figure{Text: format.Stamp(s.Closed)}, Sub: "by " + s.ClosedBy}, reopened,
			{Figure: views.Figure{Text: beginning(s.Digest), Title: s.Digest}, Mono: true}, compare}})
	}
	return views.TablePanel{Title: "Versions", Note: "all versions are kept unchanged", Table: t}
}

// cost prints an amount to the cent, as statements do.
func (x *sheet) cost(a money.Amount) views.Cell {
	return views.Cell{Figure: page.Figure(x.Currency, &a, x.Currency.Full, x.basis+" cost")}
}
