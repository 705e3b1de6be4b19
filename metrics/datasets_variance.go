package metrics

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics/variance"
)

var varianceOf = Dataset{
	Name: "variance",
	Lead: []string{"cost_before", "cost_after", "difference", "currency", "volume", "efficiency", "mix", "price",
		"without_hours", "exchange"},
	InPart:   true,
	Shared:   true,
	Grouped:  true,
	Windowed: true,
	Doc: "How the cost of a period differs from that of another, in parts that add up to the difference. Without from " +
		"and to, all cost is compared with nothing.",
	Columns: sourced("costs of both periods", []Column{
		// the group keys come first
		currency(),
		compared("cost_before", "Basis cost of the period that is compared with."),
		compared("cost_after", "Basis cost of the period."),
		compared("difference", "cost_after less cost_before: the sum of the six parts, to the last digit."),
		compared("volume", "More or less useful work, at the earlier efficiency and price. Useful work is active GPU-hours."),
		compared("efficiency", "More or fewer capacity hours for each useful hour, at the earlier price."),
		compared("mix", "Other GPU models and price classes, at their earlier prices."),
		compared("price", "Other prices of the same GPU models and price classes."),
		compared("exchange", "Another rate between the bill's currency and the one asked for; 0 without such a currency."),
		compared("without_hours", "Cost of models and classes without capacity hours in that period: fees, shared cost, "+
			"unused commitments, what sharing passes on."),
		gpuHours("capacity_gpu_hours_before", "All GPU-hours of the period that is compared with, held or not.",
			Field("capacity_gpu_hours_before")),
		gpuHours("capacity_gpu_hours_after", "All GPU-hours of the period, held or not.", Field("capacity_gpu_hours_after")),
		gpuHours("active_gpu_hours_before", "Useful GPU-hours of the period that is compared with.",
			Field("active_gpu_hours_before")),
		gpuHours("active_gpu_hours_after", "Useful GPU-hours of the period.", Field("active_gpu_hours_after")),
	}...),
	RowKey:   []string{"currency"}, // and the group keys
	Order:    []Order{{Column: "currency"}, {Column: "difference", Desc: true}},
	Compared: true,
	Derived:  varianceRows,
}

func compared(name, doc string) Column { return moneyColumn(name, doc, Field(name)) }

// compares are the two questions behind a comparison, the earlier first. An empty period is not asked for.
func (q Query) compares() (asked [2]*Query) {
	for i, w := range []period.Interval{q.Against, q.Window} {
		if i == 0 && w.Empty() {
			continue
		}
		c := q
		c.Dataset, c.Window, c.Against = &costs, w, period.Interval{}
		c.Granularity, c.Having, c.Order, c.Limit, c.Offset = Total, nil, nil, 0, 0
		c.GroupBy = slices.Clone(q.GroupBy)
		for _, name := range []string{"gpu_model", "pricing"} {
			if k, _ := LookupKey(name); !slices.Contains(c.GroupBy, k) {
				c.GroupBy = append(c.GroupBy, k)
			}
		}
		if q.Currency != "" { // a rate holds for a day
			c.Currency, c.KeepUnconverted, c.Granularity, c.Zone = "", false, Day, "UTC"
		}
		c.Only = []string{"period_start", "currency", string(q.Basis), "capacity_gpu_hours", "active_gpu_hours"}
		c.completeOrder()
		asked[i] = &c
	}
	return asked
}

// side is one of the two periods in one currency of the bill: its costs before conversion, and in the answer's
// currency.
type side struct {
	variance.Period
	cost, capacity money.Amount
	seen, known    bool // there are rows; some have a cost
}

// group is a row of the answer, with both periods in each currency of its bills.
type group struct {
	keys     []Value
	currency string
	billed   map[string]*[2]side
}

// varianceRows computes the rows of variance from the costs of both periods by GPU model and price class.
func varianceRows(ctx context.Context, q Query, from Source) ([][]Value, error) {
	c := comparison{q: q, groups: map[string]*group{}}
	if q.Currency != "" {
		var err error
		if c.rates, err = from.ExchangeRates(ctx, q.Currency); err != nil {
			return nil, err
		}
	}
	for i, asked := range q.compares() {
		if asked == nil {
			continue
		}
		a, err := ReadAnswer(ctx, from, *asked)
		if err != nil {
			return nil, err
		}
		if err := c.gather(a, i); err != nil {
			return nil, err
		}
	}
	rows := make([][]Value, 0, len(c.groups))
	for _, g := range c.groups {
		row, err := g.row()
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// comparison collects the groups of a question.
type comparison struct {
	q      Query
	rates  []RateSpan
	groups map[string]*group
}

// gather adds the rows of an answer to their groups, as the earlier (0) or the later (1) period.
func (c *comparison) gather(a *Answer, which int) error {
	model, pricing, currency := a.At("gpu_model"), a.At("pricing"), a.At("currency")
	cost, capacity, active := a.At(string(c.q.Basis)), a.At("capacity_gpu_hours"), a.At("active_gpu_hours")
	day := a.At("period_start")
	var lacking []CurrencyDay
	for _, row := range a.Rows {
		if !row[currency].Valid { // usage without a price
			continue
		}
		on := CurrencyDay{row[currency].Text, period.FromTime(row[day].Time)}
		shown, rate, found := c.rate(on)
		if !found && row[cost].Valid {
			lacking = append(lacking, on)
		}
		s := &c.group(a, row, shown).in(on.Currency)[which]
		s.seen = true
		class := variance.Class{Model: row[model].Text, Pricing: row[pricing].Text}
		cell := s.Cells[class]
		if row[cost].Valid {
			s.known = true
			amount := amountOf(row[cost])
			cell.Cost = cell.Cost.Add(amount)
			s.cost = s.cost.Add(amount.Mul(rate))
		}
		cell.Hours = cell.Hours.Add(amountOf(row[capacity]))
		if s.Cells == nil {
			s.Cells = map[variance.Class]variance.Cell{}
		}
		s.Cells[class] = cell
		s.capacity = s.capacity.Add(amountOf(row[capacity]))
		s.Useful = s.Useful.Add(amountOf(row[active]))
	}
	if c.q.KeepUnconverted {
		return nil
	}
	return CheckRates(c.q.Currency, lacking, nil)
}

// amountOf is a cell's amount, 0 if unknown.
func amountOf(v Value) money.Amount {
	if !v.Valid {
		return money.Amount{}
	}
	return money.MustParse(v.Text)
}

var one = money.MustParse("1")

// rate is the currency in which an amount of a day is shown, and what one of its units is there; found is false where
// no rate converts it, so that it stays as it is.
func (c *comparison) rate(on CurrencyDay) (shown string, rate money.Amount, found bool) {
	if c.q.Currency == "" || on.Currency == c.q.Currency {
		return on.Currency, one, true
	}
	i := slices.IndexFunc(c.rates, func(r RateSpan) bool { return r.holds(on) })
	if i < 0 {
		return on.Currency, one, false
	}
	return c.q.Currency, c.rates[i].Rate, true
}

// group is the group of a row in the currency in which it is shown.
func (c *comparison) group(a *Answer, row []Value, currency string) *group {
	g := &group{currency: currency, billed: map[string]*[2]side{}}
	id := []string{currency}
	for _, k := range c.q.GroupBy {
		v := row[a.At(k.Name)]
		g.keys = append(g.keys, v)
		id = append(id, strconv.FormatBool(v.Valid), v.Text)
	}
	key := strings.Join(id, "\x00")
	if have := c.groups[key]; have != nil {
		return have
	}
	c.groups[key] = g
	return g
}

// in are both periods in a currency of the bill.
func (g *group) in(currency string) *[2]side {
	if g.billed[currency] == nil {
		g.billed[currency] = &[2]side{}
	}
	return g.billed[currency]
}

// row is the group's row: keys, currency, costs, parts, hours. Costs and parts are NULL where the group has rows and
// none of a period's has a cost.
func (g *group) row() ([]Value, error) {
	var parts variance.Parts
	var cost, capacity, useful [2]money.Amount
	var seen, known [2]bool
	for _, sides := range g.billed {
		for i := range sides {
			s := &sides[i]
			cost[i], capacity[i] = cost[i].Add(s.cost), capacity[i].Add(s.capacity)
			useful[i] = useful[i].Add(s.Useful)
			seen[i], known[i] = seen[i] || s.seen, known[i] || s.known
		}
		parts = parts.Add(variance.Split(sides[0].Period, sides[1].Period).In(sides[0].cost, sides[1].cost,
			sides[0].Cost(), sides[1].Cost()))
	}
	difference := cost[1].Sub(cost[0])
	rounded, err := parts.Round(difference)
	if err != nil {
		return nil, err
	}
	row := append(slices.Clone(g.keys), Value{Valid: true, Text: g.currency})
	unknown := seen[0] && !known[0] || seen[1] && !known[1]
	for _, amount := range append([]money.Amount{cost[0], cost[1], difference}, rounded[:]...) {
		row = append(row, Value{Valid: !unknown, Text: amount.String()})
	}
	for _, hours := range []money.Amount{capacity[0], capacity[1], useful[0], useful[1]} {
		row = append(row, Value{Valid: true, Text: hours.String()})
	}
	return row, nil
}
