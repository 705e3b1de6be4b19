package books

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// Heads of tables.
var (
	deliveryHeads = views.Heads(
		"Delivery: deliveries.delivery_id", "Covers: deliveries.partition nowrap",
		"Written: deliveries.delivered_at xl-only nowrap (when its provider wrote it)",
		"Published: deliveries.published_at wide-only nowrap", "#Rows: deliveries.rows wide-only",
		"#Lines changed: restatements.changed wide-only (added, removed and changed against the delivery it replaced)",
		"State: deliveries.state", "Lines: deliveries.rows nowrap",
	)
	changeHeads = views.Heads(
		"Service: restatements.service_name", "Account: key.account wide-only", "#Added: restatements.added xl-only",
		"#Removed: restatements.removed xl-only", "#Changed: restatements.changed xl-only",
		"#Lines: restatements.changed below-xl", "#Billed: restatements.billed_cost",
		"#Effective: restatements.effective_cost wide-only", "#List: costs.list_cost xl-only",
	)
)

const (
	readDrops    = 400 // newest deliveries that the page reads
	mostDrops    = 24  // of them, those it lists
	mostRestated = 8   // restatements that the page lists
	mostMoved    = 12  // services of each
)

// deliveryRow is one drop of an export.
type deliveryRow struct {
	ID, Import, Source, Export, Scope, Dataset, Partition, State, Role string
	Delivered, Published                                               period.Second
	Files, Rows                                                        int64
}

func readDeliveries(ctx context.Context, reader page.Reader, filters ...string) ([]deliveryRow, error) {
	var out []deliveryRow
	err := page.Each(ctx, reader, "deliveries", metrics.Options{Order: "-published_at", Limit: "400", Filter: page.Both(filters...)}, nil, func(r page.Record) error {
		out = append(out, deliveryRow{
			ID: r.Text("delivery_id"), Import: r.Text("import_id"), Source: r.Text("source"), Export: r.Text("export"), Scope: r.Text("scope"),
			Dataset: r.Text("dataset"), Partition: r.Text("partition"), State: r.Text("state"), Role: r.Text("role"),
			Delivered: r.Second("delivered_at"), Published: r.Second("published_at"), Files: r.Count("files"), Rows: r.Count("rows"),
		})
		return nil
	})
	return out, err
}

// restatement is what one delivery changed when it replaced another.
type restatement struct {
	Delivery, Replaced, Source, Export, Partition, State string
	At                                                   period.Second
	Moves                                                []moved
}

// moved is what a restatement did to one service of one account.
type moved struct {
	Account, Service, Month, Currency string
	Added, Removed, Changed           int64
	Costs                             map[ledger.Metric]*money.Amount
}

func readRestatements(ctx context.Context, reader page.Reader) ([]restatement, error) {
	var out []restatement
	at := map[[2]string]int{}
	err := page.Each(ctx, reader, "restatements", metrics.Options{Order: "-restated_at", Limit: "2000"}, nil, func(r page.Record) error {
		key := [2]string{r.Text("delivery_id"), r.Text("replaced")}
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, restatement{Delivery: key[0], Replaced: key[1], Source: r.Text("source"), Export: r.Text("export"), Partition: r.Text("partition"),
				State: r.Text("delivery_state"), At: r.Second("restated_at")})
		}
		if r.Text("currency") == "" { // nothing moved
			return nil
		}
		m := moved{Account: r.Text("account"), Service: r.Text("service_name"), Month: r.Text("billing_period"), Currency: r.Text("currency"),
			Added: r.Count("added"), Removed: r.Count("removed"), Changed: r.Count("changed"), Costs: map[ledger.Metric]*money.Amount{}}
		for _, metric := range ledger.Metrics {
			m.Costs[metric] = r.Amount(string(metric))
		}
		out[i].Moves = append(out[i].Moves, m)
		return nil
	})
	return out, err
}

// deliveriesPanel lists what came when, and what is of it.
func deliveriesPanel(p *page.Context, v *views.Reconciliation, f *booksReading) {
	list := slices.DeleteFunc(slices.Clone(f.deliveries), func(x deliveryRow) bool {
		return len(f.rows) > 0 && !f.sourcesShown[x.Source] || p.Scope.Pick.Delivery != "" && x.ID != p.Scope.Pick.Delivery
	})
	v.Deliveries = dropsPanel(p, list, f.restated)
	v.Deliveries.Links = []views.Link{{Text: "CSV", Href: "/api/v1/deliveries?format=csv"}}
}

// dropsPanel is a table of deliveries with what they restated.
func dropsPanel(p *page.Context, list []deliveryRow, restated []restatement) views.TablePanel {
	panel := views.TablePanel{Title: "Deliveries", Note: "newest first", None: "No bill has been delivered yet."}
	if len(list) == 0 {
		return panel
	}
	changes := map[string][3]int64{}
	replaced := map[string]bool{}
	for _, r := range restated {
		sum := changes[r.Delivery]
		for _, m := range r.Moves {
			sum = [3]int64{sum[0] + m.Added, sum[1] + m.Removed, sum[2] + m.Changed}
		}
		changes[r.Delivery], replaced[r.Delivery] = sum, true
	}
	t := views.Table{Caption: "Deliveries of bills", Heads: deliveryHeads}
	for _, x := range list[:min(len(list), mostDrops)] {
		t.Rows = append(t.Rows, views.Row{Cells: dropCells(p, x, replaced[x.ID], changes[x.ID])})
	}
	if n := len(list) - mostDrops; n > 0 {
		panel.Note = format.Count(mostDrops) + " newest of " + format.Count(int64(len(list)))
		if len(list) == readDrops {
			panel.Note += " or more"
		}
	}
	panel.Table = t
	return panel
}

func dropCells(p *page.Context, x deliveryRow, replaced bool, changes [3]int64) []views.Cell {
	source := ledger.SourceOf(x.Source).Label
	sub := x.Export
	if x.Dataset != "" {
		source += ", " + x.Dataset
	}
	written := views.Cell{Figure: views.Figure{Text: format.NA, Title: "neither manifest nor path nor store says when", Zero: true}}
	if x.Delivered != 0 {
		written = views.Text(format.Instant(x.Delivered))
	}
	moved := views.Cell{Figure: views.Figure{Text: "first", Title: "it replaced none", Zero: true}}
	if replaced {
		moved = views.Cell{Figure: changesFigure(changes)}
	}
	state := views.Tag{Text: x.State, Title: deliveryStates[x.State]}
	if x.State == "current" {
		state = views.Tag{Text: x.Role, Tone: "good", Title: "its lines are posted"}
		if x.Role != string(ledger.Book) {
			state = views.Tag{Text: x.Role, Tone: "est", Title: "another export is the book: shown beside it, never posted"}
		}
	}
	lines := views.Cell{Figure: views.Figure{Text: "gone", Title: "lines of replaced deliveries count no more", Zero: true}}
	if x.State == "current" {
		lines = views.Cell{Figure: views.Figure{Text: "Show", Title: "the lines of this delivery"}, Href: p.Scope.Carried("/charges", "from", "", "to", "", "delivery", x.ID, "provider", "", "currency", "")}
	}
	return []views.Cell{{Figure: views.Figure{Text: source}, Sub: page.Middle(sub, 44)}, views.Text(x.Partition), written, views.Text(format.Instant(x.Published)),
		views.Text(format.Count(x.Rows)), moved, {Tag: &state}, lines}
}

var deliveryStates = map[string]string{
	"superseded": "a newer delivery took its place",
	"older":      "it came after a newer one and is kept as history",
}

// changesFigure prints lines added, removed and changed: "+254 −1 ~5".
func changesFigure(n [3]int64) views.Figure {
	if n == [3]int64{} {
		return views.Figure{Text: "none", Title: "the same lines in another order", Zero: true}
	}
	return views.Figure{Text: "+" + format.Count(n[0]) + " " + format.Minus + format.Count(n[1]) + " ~" + format.Count(n[2]),
		Title: format.Count(n[0]) + " added, " + format.Count(n[1]) + " removed, " + format.Count(n[2]) + " changed"}
}

// restatementsPanel shows what providers changed after the fact, by service
// and account.
func restatementsPanel(p *page.Context, v *views.Reconciliation, f *booksReading) {
	panel := views.TablePanel{Title: "Restatements", Note: "new minus old, by service and account", None: "No delivery has replaced another so far: watched are all of them.",
		Links: []views.Link{{Text: "CSV", Href: "/api/v1/restatements?format=csv"}}}
	var list []restatement
	for _, r := range f.restated {
		if !f.sourcesShown[r.Source] && len(f.rows) > 0 || p.Scope.Pick.Delivery != "" && r.Delivery != p.Scope.Pick.Delivery {
			continue
		}
		list = append(list, r)
	}
	if len(list) == 0 {
		v.Restatements = panel
		return
	}
	datasets := map[string]string{}
	for _, x := range f.deliveries {
		datasets[x.ID] = x.Dataset
	}
	several := map[string]bool{}
	for _, r := range list {
		for _, m := range r.Moves {
			several[m.Currency] = true
		}
	}
	t := views.Table{Caption: "What newer deliveries changed", Heads: changeHeads}
	for _, r := range list[:min(len(list), mostRestated)] {
		restatedRows(p, &t, r, datasets[r.Delivery], p.Several || len(several) > 1)
	}
	if n := len(list) - mostRestated; n > 0 {
		panel.Note += "; the " + format.Count(mostRestated) + " newest of " + format.Count(int64(len(list)))
	}
	panel.Table = t
	panel.Notes = []string{"A line is changed when only its content differs: same type, account, resource, usage and time", "An aggregate of lines outside the fleet counts as one line"}
	v.Restatements = panel
}

func restatedRows(p *page.Context, t *views.Table, r restatement, dataset string, several bool) {
	name := ledger.SourceOf(r.Source).Label
	if dataset != "" {
		name += ", " + dataset
	}
	var lines [3]int64
	for _, m := range r.Moves {
		lines = [3]int64{lines[0] + m.Added, lines[1] + m.Removed, lines[2] + m.Changed}
	}
	t.Rows = append(t.Rows, views.Row{Heading: &views.Heading{
		Text: name + ", " + r.Partition, Note: format.Instant(r.At) + ": " + strings.ReplaceAll(changesFigure(lines).Title, "the same lines in another order", "no line changed"),
	}})
	moves := slices.Clone(r.Moves)
	slices.SortStableFunc(moves, func(a, b moved) int {
		return cmp.Or(cmp.Compare(a.Currency, b.Currency), page.Size(b.Costs[ledger.EffectiveCost]).Cmp(page.Size(a.Costs[ledger.EffectiveCost])), page.Size(b.Costs[ledger.BilledCost]).Cmp(page.Size(a.Costs[ledger.BilledCost])))
	})
	shown := moves
	if len(moves) > mostMoved+1 {
		shown = moves[:mostMoved]
	}
	for _, m := range shown {
		name := m.Service
		if name == "" {
			name = "no service named"
		}
		cell := views.Cell{Figure: views.Figure{Text: name}, Name: true}
		if m.Service != "" && r.State == "current" {
			cell.Href = p.Scope.Carried("/charges", "from", "", "to", "", "delivery", r.Delivery, "service_name", m.Service, "account", m.Account, "provider", "", "currency", "")
		}
		t.Rows = append(t.Rows, views.Row{Cells: movedCells(p, cell, m.Account, m, several)})
	}
	// What is not listed, one row per currency.
	rest := map[string]*moved{}
	counts := map[string]int{}
	var order []string
	for _, m := range moves[len(shown):] {
		if rest[m.Currency] == nil {
			rest[m.Currency] = &moved{Currency: m.Currency, Costs: map[ledger.Metric]*money.Amount{}}
			order = append(order, m.Currency)
		}
		sum := rest[m.Currency]
		counts[m.Currency]++
		sum.Added, sum.Removed, sum.Changed = sum.Added+m.Added, sum.Removed+m.Removed, sum.Changed+m.Changed
		for metric, a := range m.Costs {
			if sum.Costs[metric] == nil {
				sum.Costs[metric] = &money.Amount{}
			}
			addKnown(sum.Costs[metric], a)
		}
	}
	for _, currency := range order {
		name := views.Text(format.Plural(counts[currency], "other service", "other services"))
		t.Rows = append(t.Rows, views.Row{Others: true, Cells: movedCells(p, name, "", *rest[currency], several)})
	}
}

func movedCells(p *page.Context, name views.Cell, account string, m moved, several bool) []views.Cell {
	c := format.Currency(m.Currency)
	if several {
		c = format.Coded(m.Currency)
	}
	change := func(metric ledger.Metric) views.Cell {
		a := m.Costs[metric]
		return views.Cell{Figure: page.Figure(c, a, func(a money.Amount) string {
			if a.Sign() > 0 {
				return "+" + c.Full(a)
			}
			return c.Full(a)
		}, metricName(string(metric))+" cost, new minus old")}
	}
	count := func(n int64) views.Cell { return views.Cell{Figure: views.Figure{Text: format.Count(n), Zero: n == 0}} }
	return []views.Cell{name, {Figure: views.Figure{Text: account}, Mono: account != ""}, count(m.Added), count(m.Removed), count(m.Changed),
		{Figure: changesFigure([3]int64{m.Added, m.Removed, m.Changed})}, change(ledger.BilledCost), change(ledger.EffectiveCost), change(ledger.ListCost)}
}
