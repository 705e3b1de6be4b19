package books

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

var (
	causeHeads = views.Heads(
		"Cause: key.cause nowrap", "Meaning: key.cause wide-only",
		"#GPU-hours: statement_lines.gpu_hours (of the machine's capacity)", "%Share: figure.share wide-only",
		"#Cost: figure.carried_cost",
	)
	sharingHeads = views.Heads(
		"Pool: key.cause nowrap", "#Pool total: figure.carried_cost wide-only (what all teams passed on)",
		"#Passed on: figure.carried_cost", "#Received: figure.carried_cost",
		"%Share: figure.share wide-only (received of the pool)", "#Cost: figure.carried_cost",
	)
	ownerHeads = views.Heads(
		"By cause: figure.by_cause wide-only", "#Before sharing: statement_lines.effective_cost wide-only",
		"#Shared: figure.carried_cost wide-only", "#Adjusted: periods.adjustments_effective_cost wide-only",
		"#Cost: figure.carried_cost",
	)
	adjustmentHeads = views.Heads(
		"Service in: statement_lines.day", "Adjusts: postings.adjusts", "#Cost: figure.carried_cost",
	)
)

// whose names the team in titles and totals, or the account.
func (x *sheet) whose() string {
	if x.Scope.Team != "" {
		return page.TeamName(x.Scope.Team)
	}
	return "the account"
}

// hours prints GPU-hours, or n/a for cost without GPU-hours.
func hours(p portion) views.Cell {
	if !p.Hours {
		return views.Cell{Figure: views.Figure{Text: format.NA, Title: "this cost has no GPU-hours", Zero: true}}
	}
	return views.Cell{Figure: page.Quantity(p.GPUHours)}
}

// causes shows the owners' own cost by cause.
func (x *sheet) causes() views.StatementSection {
	all := total(x.mine, (*portion).own)
	t := views.Table{Caption: "Cost before sharing by cause", Heads: causeHeads}
	byCause := map[ledger.Cause]money.Amount{}
	for _, info := range ledger.Causes {
		at := func(p *portion) bool { return p.own() && p.Cause == info.Cause }
		if !slices.ContainsFunc(x.mine, func(p portion) bool { return at(&p) }) {
			continue
		}
		sum := total(x.mine, at)
		byCause[info.Cause] = sum.Cost
		t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{{Figure: views.Figure{Text: info.Label},
			Cause: string(info.Cause)}, {Figure: views.Figure{Text: info.Meaning}}, hours(sum),
			views.Text(x.share(sum.Cost, all.Cost)), x.cost(sum.Cost)}})
	}
	title, name := "1. Cost by cause", "Before sharing"
	if x.Scope.Team != "" {
		title, name = "1. Cost held by "+x.whose(), "Held by "+x.whose()
	}
	t.Total = []views.Cell{views.Text(name), {}, hours(all), views.Text(x.share(all.Cost, all.Cost)), x.cost(all.Cost)}
	strip := page.CauseStrip(x.Currency, "head", byCause, nil)
	return views.StatementSection{Title: title, Strip: &strip, Table: t, None: "Nothing was held."}
}

func (x *sheet) share(part, whole money.Amount) string {
	if whole.Sign() == 0 {
		return format.NA
	}
	return format.Share(part, whole)
}

// pools shows shared cost passed on and received, by cause.
func (x *sheet) pools() views.StatementSection {
	t := views.Table{Caption: "Cost passed on and received by sharing", Heads: sharingHeads}
	kind := func(k ledger.PostingKind, c ledger.Cause) func(*portion) bool {
		return func(p *portion) bool { return p.Kind == k && (c == "" || p.Cause == c) }
	}
	row := func(c ledger.Cause) []views.Cell {
		pool := total(x.portions, kind(ledger.SharedOut, c)).Cost.Neg()
		out, in := total(x.mine, kind(ledger.SharedOut, c)).Cost, total(x.mine, kind(ledger.SharedIn, c)).Cost
		return []views.Cell{
			{Figure: views.Figure{Text: page.CauseLabel(c)}, Cause: string(c)}, x.cost(pool),
			x.cost(out), x.cost(in), views.Text(x.share(in, pool)), x.cost(out.Add(in)),
		}
	}
	for _, info := range ledger.Causes {
		if slices.ContainsFunc(x.mine, func(p portion) bool { return p.shared() && p.Cause == info.Cause }) {
			t.Rows = append(t.Rows, views.Row{Cells: row(info.Cause)})
		}
	}
	if len(t.Rows) > 0 {
		t.Total = row("")
		t.Total[0] = views.Text("Shared in and out")
	}
	s := views.StatementSection{
		Title: "2. Shared cost", Table: t, None: "Nothing was passed on to " + x.whose() + ".",
	}
	if x.Scope.Team == "" {
		s.None = "The policy shares nothing."
		s.Note = "cost without a holder, passed on to the holders; the total is zero"
		if len(t.Rows) == 0 {
			s.Note = ""
		}
	}
	return s
}

// adjustments lists the adjustments of earlier periods, down to the amount charged.
func (x *sheet) adjustments(sum portion) views.StatementSection {
	type key struct {
		month string
		cause ledger.Cause
	}
	groups := map[key]money.Amount{}
	for i := range x.mine {
		if p := &x.mine[i]; p.adjusts() {
			k := key{p.Month, p.Cause}
			groups[k] = groups[k].Add(p.Cost)
		}
	}
	keys := make([]key, 0, len(groups))
	for k := range groups {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(a.month, b.month), cmp.Compare(a.cause.Order(), b.cause.Order()),
			cmp.Compare(a.cause, b.cause))
	})
	t := views.Table{Caption: "Adjustments of earlier periods", Heads: adjustmentHeads}
	for _, k := range keys {
		adjusts := views.Cell{Figure: views.Figure{Text: "no statement of " + k.month, Zero: true}}
		if s, ok := x.adjusted(k.month); ok {
			adjusts = views.Cell{
				Figure: views.Figure{Text: "statement " + s.Month + " v" + strconv.FormatInt(s.Version, 10)},
				Href:   statementPath(x.Scope, s.statementKey, "team", x.Scope.Team),
			}
		}
		t.Rows = append(t.Rows, views.Row{
			Cells: []views.Cell{
				{Figure: views.Figure{Text: page.MonthName(k.month)}, Cause: string(k.cause), Sub: page.CauseLabel(k.cause)},
				adjusts, x.cost(groups[k]),
			},
		})
	}
	if len(keys) == 0 {
		t.Rows = []views.Row{{Others: true, Cells: []views.Cell{views.Text("Nothing was restated."), {}, {}}}}
	} else {
		t.Totals = append(t.Totals, []views.Cell{
			views.Text("Adjustments"), {}, x.cost(total(x.mine, (*portion).adjusts).Cost),
		})
	}
	t.Totals = append(t.Totals, []views.Cell{views.Text("Amount charged"), {}, x.cost(sum.Cost)})
	return views.StatementSection{Title: "3. Adjustments", Table: t}
}

// adjusted is the statement of a month that was current when this one was written.
func (x *sheet) adjusted(month string) (statementRow, bool) {
	i := slices.IndexFunc(x.all, func(s statementRow) bool { // newest first
		return s.Month == month && s.Number < x.head.Number
	})
	if i < 0 {
		return statementRow{}, false
	}
	return x.all[i], true
}

// owners shows the amount by team, or one team's by project.
func (x *sheet) owners() views.StatementSection {
	name, of := "Team", func(p *portion) string { return p.Team }
	if x.Scope.Team != "" {
		name, of = "Project", func(p *portion) string { return p.Project }
	}
	groups := map[string][]portion{}
	whole := map[string]money.Amount{}
	for i := range x.mine {
		k := of(&x.mine[i])
		groups[k] = append(groups[k], x.mine[i])
		whole[k] = whole[k].Add(x.mine[i].Cost)
	}
	t := views.Table{Caption: "Amount by " + name,
		Heads: append([]views.SortLink{views.KeyHead(name, strings.ToLower(name))}, ownerHeads...)}
	row := func(label, href string, list []portion) []views.Cell {
		byCause := map[ledger.Cause]money.Amount{}
		for i := range list {
			if list[i].own() {
				byCause[list[i].Cause] = byCause[list[i].Cause].Add(list[i].Cost)
			}
		}
		strip := page.CauseStrip(x.Currency, "row", byCause, nil)
		return []views.Cell{{Figure: views.Figure{Text: label}, Href: href, Name: true}, {Strip: &strip},
			x.cost(total(list, (*portion).own).Cost), x.cost(total(list, (*portion).shared).Cost),
			x.cost(total(list, (*portion).adjusts).Cost), x.cost(total(list, everything).Cost)}
	}
	for _, k := range page.Largest(whole) {
		label, href := page.TeamName(k), x.Scope.With("team", k)
		if x.Scope.Team != "" {
			label, href = k, ""
			if k == "" {
				label = "no project"
			}
		}
		t.Rows = append(t.Rows, views.Row{Cells: row(label, href, groups[k])})
	}
	t.Total = row("Amount charged", "", x.mine)
	return views.StatementSection{Title: "By " + map[string]string{"Team": "team", "Project": "project"}[name], Table: t}
}
