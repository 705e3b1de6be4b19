package paper

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics/statement"
	"gpuledger/web/views/format"
)

// pile is the sum of some lines.
type pile struct {
	cost  money.Amount
	hours *money.Amount // nil: none of the lines has any
}

func (p *pile) add(l *statement.Line) {
	if l.EffectiveCost != nil {
		p.cost = p.cost.Add(*l.EffectiveCost)
	}
	if l.GPUHours != nil {
		hours := *l.GPUHours
		if p.hours != nil {
			hours = hours.Add(*p.hours)
		}
		p.hours = &hours
	}
}

// piles adds up the lines that keep selects, by a key.
func piles[K comparable](lines []statement.Line, keep func(*statement.Line) bool, key func(*statement.Line) K,
) map[K]*pile {
	out := map[K]*pile{}
	for i := range lines {
		l := &lines[i]
		if !keep(l) {
			continue
		}
		if out[key(l)] == nil {
			out[key(l)] = &pile{}
		}
		out[key(l)].add(l)
	}
	return out
}

func causeOf(l *statement.Line) ledger.Cause { return l.Cause }

func in(sections ...statement.Section) func(*statement.Line) bool {
	return func(l *statement.Line) bool { return slices.Contains(sections, l.Section) }
}

// causesOf are the causes of piles in their fixed order.
func causesOf[V any](m map[ledger.Cause]V) []ledger.Cause {
	return slices.SortedFunc(maps.Keys(m), func(a, b ledger.Cause) int {
		return cmp.Or(cmp.Compare(a.Order(), b.Order()), cmp.Compare(a, b))
	})
}

// charge lays out the statement in one currency.
func (x *Sheet) charge(s *statement.Statement, c *statement.Charge) {
	p := &printer{c: c, currency: format.Currency(c.Currency), direct: "cost that " + s.Value + " held or bought"}
	if s.Value == statement.Unowned {
		p.direct = "cost without a " + keyWords(s)
	}
	if len(s.Statements) > 1 {
		p.suffix = ", " + c.Currency
	}
	for _, b := range []Block{p.summary(), p.held(), p.shared(), p.adjusted(), p.projects(), p.bridge(s)} {
		if len(b.Rows) > 0 {
			b.Title += p.suffix
			x.Blocks = append(x.Blocks, b)
		}
	}
}

// printer prints one currency of a statement.
type printer struct {
	c        *statement.Charge
	currency format.Currency
	direct   string // what direct cost is
	suffix   string // of titles, if there are several currencies
}

func (p *printer) money(a money.Amount) Cell { return printed(p.currency, a) }

func printed(c format.Currency, a money.Amount) Cell {
	return Cell{Text: c.Full(a), Money: &a, Currency: c}
}

// some is money, with a dash for nothing.
func (p *printer) some(a money.Amount) Cell {
	if a.IsZero() {
		return Cell{Text: "–", Money: &a, Currency: p.currency}
	}
	return p.money(a)
}

func hours(p *pile) Cell {
	if p.hours == nil {
		return Cell{Text: format.NA}
	}
	return Cell{Text: format.GPUHours(*p.hours)}
}

// summary leads from direct cost to the total. Rows without cost stay, so that every statement reads the same.
func (p *printer) summary() Block {
	b := Block{Title: "Amount charged", Columns: []Column{
		{Head: "Part", Define: "key.kind", Weight: 40}, {Head: "Meaning", Define: "key.kind", Extra: true, Weight: 80},
		{Head: "Cost", Define: "figure.carried_cost", Number: true, Weight: 24},
	}}
	for _, r := range []struct {
		name, meaning string
		cost          money.Amount
	}{
		{"Direct", p.direct, p.c.Direct},
		{"Shared in", "received from others, as the policy shares cost", p.c.SharedIn},
		{"Shared out", "passed on to others", p.c.SharedOut},
		{"Adjustments", "late corrections of earlier months", p.c.Adjustments},
	} {
		b.Rows = append(b.Rows, Row{Cells: []Cell{{Text: r.name}, {Text: r.meaning}, p.money(r.cost)}})
	}
	b.Rows = append(b.Rows, Row{Total: true, Cells: []Cell{{Text: "Amount charged"}, {}, p.money(p.c.Total)}})
	return b
}

// held shows direct cost by cause.
func (p *printer) held() Block {
	byCause := piles(p.c.Lines, in(statement.Direct), causeOf)
	b := Block{Title: "Direct cost by cause", Columns: []Column{
		{Head: "Cause", Define: "key.cause nowrap", Weight: 22},
		{Head: "Meaning", Define: "key.cause", Extra: true, Weight: 46},
		{Head: "GPU-hours", Define: "statement_lines.gpu_hours", Number: true, Weight: 14},
		{Head: "Share", Define: "figure.share", Number: true, Extra: true, Weight: 12},
		{Head: "Cost", Define: "figure.carried_cost", Number: true, Weight: 20},
	}}
	all, strip := &pile{}, Strip{p.currency, map[ledger.Cause]money.Amount{}}
	for _, cause := range causesOf(byCause) {
		sum := byCause[cause]
		strip.Parts[cause] = sum.cost
		all.add(&statement.Line{GPUHours: sum.hours, EffectiveCost: &sum.cost})
		b.Rows = append(b.Rows, Row{Cells: []Cell{{Text: label(cause), Cause: cause}, {Text: meaning(cause)}, hours(sum),
			{Text: share(sum.cost, p.c.Direct)}, p.money(sum.cost)}})
	}
	if len(b.Rows) > 0 {
		b.Strip = &strip
		b.Rows = append(b.Rows, Row{Total: true, Cells: []Cell{{Text: "Direct"}, {}, hours(all),
			{Text: share(p.c.Direct, p.c.Direct)}, p.money(p.c.Direct)}})
	}
	return b
}

// shared shows shared cost received and passed on, by cause.
func (p *printer) shared() Block {
	b := Block{Title: "Shared cost", Columns: []Column{
		{Head: "Cause", Define: "key.cause nowrap", Weight: 40},
		{Head: "Received", Define: "figure.carried_cost", Number: true, Extra: true, Weight: 20},
		{Head: "Passed on", Define: "figure.carried_cost", Number: true, Extra: true, Weight: 20},
		{Head: "Cost", Define: "figure.carried_cost", Number: true, Weight: 20},
	}}
	received := piles(p.c.Lines, in(statement.SharedIn), causeOf)
	passed := piles(p.c.Lines, in(statement.SharedOut), causeOf)
	for _, cause := range causesOf(piles(p.c.Lines, in(statement.SharedIn, statement.SharedOut), causeOf)) {
		var in, out money.Amount
		if received[cause] != nil {
			in = received[cause].cost
		}
		if passed[cause] != nil {
			out = passed[cause].cost
		}
		if !in.IsZero() || !out.IsZero() {
			b.Rows = append(b.Rows, Row{Cells: []Cell{
				{Text: label(cause), Cause: cause}, p.some(in), p.some(out), p.money(in.Add(out)),
			}})
		}
	}
	if len(b.Rows) > 0 {
		b.Rows = append(b.Rows, Row{Total: true, Cells: []Cell{{Text: "Shared in and out"}, p.money(p.c.SharedIn),
			p.money(p.c.SharedOut), p.money(p.c.SharedIn.Add(p.c.SharedOut))}})
	}
	return b
}

// adjusted shows corrections of earlier months.
func (p *printer) adjusted() Block {
	type key struct {
		month period.Month
		cause ledger.Cause
	}
	sums := piles(p.c.Lines, in(statement.Adjustments), func(l *statement.Line) key { return key{l.Month, l.Cause} })
	b := Block{Title: "Adjustments of earlier months", Columns: []Column{
		{Head: "Service in", Define: "statement_lines.day", Weight: 30}, {Head: "Cause", Define: "key.cause", Weight: 40},
		{Head: "Cost", Define: "figure.carried_cost", Number: true, Weight: 20},
	}}
	keys := slices.SortedFunc(maps.Keys(sums), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.month, b.month), cmp.Compare(a.cause.Order(), b.cause.Order()))
	})
	for _, k := range keys {
		b.Rows = append(b.Rows, Row{Cells: []Cell{
			{Text: monthName(k.month)}, {Text: label(k.cause), Cause: k.cause}, p.money(sums[k].cost),
		}})
	}
	if len(keys) > 0 {
		b.Rows = append(b.Rows, Row{Total: true, Cells: []Cell{{Text: "Adjustments"}, {}, p.money(p.c.Adjustments)}})
	}
	return b
}

// monthName prints a month.
func monthName(m period.Month) string {
	i, err := m.Interval()
	if err != nil {
		return string(m)
	}
	return format.Month(i.From)
}

// projects shows all cost by project, the largest first.
func (p *printer) projects() Block {
	const none = "\x00" // sorts apart from a project whose name is empty
	of := func(l *statement.Line) string {
		if l.Project == nil {
			return none
		}
		return *l.Project
	}
	all := func(*statement.Line) bool { return true }
	whole := piles(p.c.Lines, all, of)
	b := Block{Title: "By project", Columns: []Column{
		{Head: "Project", Define: "key.project", Weight: 34},
		{Head: "Direct cost by cause", Define: "figure.by_cause", Extra: true, Weight: 38},
		{Head: "GPU-hours", Define: "statement_lines.gpu_hours", Number: true, Weight: 14},
		{Head: "Cost", Define: "figure.carried_cost", Number: true, Weight: 20},
	}}
	names := slices.SortedFunc(maps.Keys(whole), func(x, y string) int {
		return cmp.Or(whole[y].cost.Cmp(whole[x].cost), strings.Compare(x, y))
	})
	sum := &pile{}
	for _, name := range names {
		strip := Strip{p.currency, map[ledger.Cause]money.Amount{}}
		direct := piles(p.c.Lines, func(l *statement.Line) bool {
			return l.Section == statement.Direct && of(l) == name
		}, causeOf)
		for cause, d := range direct {
			strip.Parts[cause] = d.cost
		}
		text := name
		if name == none {
			text = "no project"
		}
		w := whole[name]
		sum.add(&statement.Line{GPUHours: w.hours, EffectiveCost: &w.cost})
		b.Rows = append(b.Rows, Row{Cells: []Cell{{Text: text}, {Strip: &strip}, hours(w), p.money(w.cost)}})
	}
	b.Rows = append(b.Rows, Row{Total: true, Cells: []Cell{{Text: "Amount charged"}, {}, hours(sum), p.money(p.c.Total)}})
	return b
}

// bridge leads from the month before to the total.
func (p *printer) bridge(s *statement.Statement) Block {
	month, err := s.BillingPeriod.Interval()
	before := "the month before"
	if err == nil {
		before = format.Month(month.From - 1)
	}
	b := Block{Title: "Change since " + before, Columns: []Column{
		{Head: "Part", Define: "figure.difference", Weight: 30},
		{Head: "Meaning", Define: "figure.difference", Extra: true, Weight: 60},
		{Head: "Cost", Define: "figure.difference", Number: true, Weight: 20},
	}}
	if p.c.Bridge == nil {
		return b
	}
	row := func(name, meaning string, a money.Amount) {
		cell := p.money(a)
		if a.Sign() > 0 {
			cell.Text = "+" + cell.Text
		}
		b.Rows = append(b.Rows, Row{Cells: []Cell{{Text: name}, {Text: meaning}, cell}})
	}
	b.Rows = []Row{{Cells: []Cell{{Text: before}, {Text: "amount charged"}, p.money(p.c.Bridge.Before)}}}
	row("Volume", "more or less useful work", p.c.Bridge.Volume)
	row("Efficiency", "more or fewer GPU-hours for the same work", p.c.Bridge.Efficiency)
	row("Mix", "other GPU models and price classes", p.c.Bridge.Mix)
	row("Price", "other prices of the same models and classes", p.c.Bridge.Price)
	row("Without hours", "fees, shared cost and services without GPU-hours", p.c.Bridge.WithoutHours)
	b.Rows = append(b.Rows, Row{Total: true, Cells: []Cell{{Text: "Amount charged"}, {}, p.money(p.c.Total)}})
	return b
}

// budgets compares the owner's budgets of the month with the cost before sharing.
func budgets(s *statement.Statement) Block {
	b := Block{Title: "Against budget: cost billed in the month, before sharing", Columns: []Column{
		{Head: "Budget", Define: "budgets.name", Weight: 34},
		{Head: "Amount", Define: "budgets.amount", Number: true, Weight: 22},
		{Head: "Spent", Define: "figure.carried_cost", Number: true, Weight: 26},
		{Head: "Share", Define: "figure.share", Number: true, Weight: 12},
	}}
	for _, budget := range s.Budgets {
		c := format.Currency(budget.Currency)
		b.Rows = append(b.Rows, Row{Cells: []Cell{
			{Text: budget.Name}, printed(c, budget.Amount), printed(c, budget.Spent),
			{Text: share(budget.Spent, budget.Amount)},
		}})
	}
	return b
}

// accounts lists the billing accounts behind the statement.
func accounts(s *statement.Statement) Block {
	b := Block{Title: "Bills behind this statement", Columns: []Column{
		{Head: "Billing account", Define: "periods.billing_account", Weight: 40},
		{Head: "Provider", Define: "key.provider", Extra: true, Weight: 20},
		{Head: "State", Define: "periods.state", Weight: 50},
	}}
	for _, a := range s.Accounts {
		state := "open"
		if a.ClosedAt != nil {
			state = "closed " + format.Stamp(period.FromTime(*a.ClosedAt)) + ", version " + format.Count(a.Version)
		}
		b.Rows = append(b.Rows, Row{Cells: []Cell{{Text: a.BillingAccount}, {Text: a.Provider}, {Text: state}}})
	}
	return b
}
