package books

import (
	"cmp"
	"context"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// deliveryRow is one delivery of an export.
type deliveryRow struct {
	ID, Import, Source, Export, Scope, Partition, Role string
	Published                                          period.Second
}

// readDeliveries reads the newest deliveries.
func readDeliveries(ctx context.Context, reader page.Reader) ([]deliveryRow, error) {
	var out []deliveryRow
	o := metrics.Options{Order: "-published_at", Limit: "400"}
	err := page.Each(ctx, reader, "deliveries", o, nil, func(r page.Record) error {
		out = append(out, deliveryRow{
			ID: r.Text("delivery_id"), Import: r.Text("import_id"), Source: r.Text("source"), Export: r.Text("export"),
			Scope: r.Text("scope"), Partition: r.Text("partition"), Role: r.Text("role"), Published: r.Second("published_at"),
		})
		return nil
	})
	return out, err
}

// readChanges returns, by delivery, how many lines it added, removed and changed when it replaced another.
func readChanges(ctx context.Context, reader page.Reader) (map[string][3]int64, error) {
	out := map[string][3]int64{}
	o := metrics.Options{Order: "-restated_at", Limit: "2000"}
	err := page.Each(ctx, reader, "restatements", o, nil, func(r page.Record) error {
		n := out[r.Text("delivery_id")]
		out[r.Text("delivery_id")] = [3]int64{n[0] + r.Count("added"), n[1] + r.Count("removed"), n[2] + r.Count("changed")}
		return nil
	})
	return out, err
}

// dropsPanel lists deliveries with their dates, rows and state.
func dropsPanel(filter string, changes map[string][3]int64) *figures.Panel {
	return &figures.Panel{
		Title: "Deliveries", Note: "newest first", None: "No bill has been delivered yet.",
		Dataset: "deliveries", Filter: filter, Order: "-published_at", Limit: 24,
		Columns: []figures.Column{
			{Name: "source", Text: "Delivery", Define: "deliveries.delivery_id", Cell: dropCell},
			{Name: "partition", Text: "Covers", Class: "nowrap"},
			{Name: "delivered_at", Text: "Written", Class: "xl-only nowrap"},
			{Name: "published_at", Text: "Published", Class: "wide-only nowrap"},
			{Name: "rows", Text: "Rows", Class: "wide-only"},
			{Name: "files", Text: "Lines changed", Class: "wide-only", Define: "restatements.changed",
				Cell: func(_ *page.Context, r page.Record) views.Cell {
					if n, ok := changes[r.Text("delivery_id")]; ok {
						return views.Cell{Figure: changesFigure(n)}
					}
					return views.Cell{Figure: views.Figure{Text: "first", Title: "it replaced no delivery", Zero: true}}
				}},
			{Name: "state", Text: "State", Cell: dropState},
			{Name: "delivery_id", Text: "Lines", Class: "nowrap", Define: "deliveries.rows", Cell: dropLines},
		},
	}
}

func dropCell(_ *page.Context, r page.Record) views.Cell {
	source := ledger.SourceOf(r.Text("source")).Label
	if dataset := r.Text("dataset"); dataset != "" {
		source += ", " + dataset
	}
	return views.Cell{Figure: views.Figure{Text: source}, Sub: page.Middle(r.Text("export"), 44)}
}

func dropState(_ *page.Context, r page.Record) views.Cell {
	state, role := r.Text("state"), r.Text("role")
	tag := views.Tag{Text: state, Title: deliveryStates[state]}
	switch {
	case state != "current":
	case role == string(ledger.Book):
		tag = views.Tag{Text: role, Tone: "good", Title: "its lines are posted"}
	default:
		tag = views.Tag{
			Text: role, Tone: "est", Title: "another export is the book: this one is shown next to it, never posted",
		}
	}
	return views.Cell{Tag: &tag}
}

func dropLines(p *page.Context, r page.Record) views.Cell {
	if r.Text("state") != "current" {
		return views.Cell{
			Figure: views.Figure{Text: "gone", Title: "lines of replaced deliveries no longer count", Zero: true},
		}
	}
	return views.Cell{Figure: views.Figure{Text: "Show", Title: "the lines of this delivery"}, Href: linesOf(p, r)}
}

// linesOf links to the bill lines of a row's delivery; more narrows them, for example to a service.
func linesOf(p *page.Context, r page.Record, more ...string) string {
	return p.Scope.Carried("/charges", append([]string{
		"delivery", r.Text("delivery_id"), "from", "", "to", "", "provider", "", "currency", ""}, more...)...)
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
	return views.Figure{Text: "+" + format.Count(n[0]) + " " + format.Minus + format.Count(n[1]) + " ~" +
		format.Count(n[2]),
		Title: format.Count(n[0]) + " added, " + format.Count(n[1]) + " removed, " + format.Count(n[2]) + " changed"}
}

// restatedPanel shows what providers changed after the fact, by service and account.
func restatedPanel(filter string) *figures.Panel {
	return &figures.Panel{
		Title: "Restatements", Note: "new minus old, by service and account, newest first",
		None:    "No delivery has replaced another yet.",
		Dataset: "restatements", Filter: page.Both("currency is not null", filter),
		Order: "-restated_at,-billed_cost", Limit: 60,
		Columns: []figures.Column{
			{Name: "service_name", Text: "Service", Cell: movedCell}, {Name: "account", Text: "Account", Class: "wide-only"},
			{Name: "restated_at", Text: "Restated", Class: "max-only nowrap"},
			{Name: "added", Text: "Added", Class: "xl-only"}, {Name: "removed", Text: "Removed", Class: "xl-only"},
			{Name: "changed", Text: "Changed", Class: "xl-only"},
			{Name: "changed", Text: "Lines", Class: "below-xl", Cell: func(_ *page.Context, r page.Record) views.Cell {
				return views.Cell{Figure: changesFigure([3]int64{r.Count("added"), r.Count("removed"), r.Count("changed")})}
			}},
			{Name: "billed_cost", Text: "Billed", Cell: change("billed")},
			{Name: "effective_cost", Text: "Effective", Class: "wide-only", Cell: change("effective")},
			{Name: "list_cost", Text: "List", Class: "xl-only", Cell: change("list")},
		},
		Notes: []string{
			"A line counts as changed if its type, account, resource, usage and time are the same and its content differs.",
			"An aggregate of lines outside the fleet counts as one line.",
		},
	}
}

func movedCell(p *page.Context, r page.Record) views.Cell {
	service := r.Text("service_name")
	cell := views.Cell{Figure: views.Figure{Text: cmp.Or(service, "no service named")}, Name: true,
		Sub: ledger.SourceOf(r.Text("source")).Label + ", " + r.Text("partition")}
	if service != "" && r.Text("delivery_state") == "current" {
		cell.Href = linesOf(p, r, "service_name", service, "account", r.Text("account"))
	}
	return cell
}

// change prints the change of a cost: "+$385.78".
func change(basis string) func(*page.Context, page.Record) views.Cell {
	return func(p *page.Context, r page.Record) views.Cell {
		c := p.Printed(r.Text("currency"))
		return views.Cell{Figure: page.Figure(c, r.Amount(basis+"_cost"), func(a money.Amount) string {
			if a.Sign() > 0 {
				return "+" + c.Full(a)
			}
			return c.Full(a)
		}, page.BasisNames[basis][0]+" cost, new minus old")}
	}
}
