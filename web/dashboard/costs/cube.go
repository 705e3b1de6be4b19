package costs

import (
	"context"
	"math/big"
	"slices"
	"sort"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views/format"
)

// costRow is one cell of the overview's cube.
type costRow struct {
	Step     period.Second
	Provider string
	Pricing  string
	Cause    ledger.Cause
	Team     string
	State    ledger.State
	Quality  ledger.Quality
	Cost     *money.Amount // in the chosen basis; nil if the bill does not state it
	GPUHours money.Amount
	Active   money.Amount
	Capacity money.Amount
}

// cube is spend by step, provider, price class, cause, team, state and quality
// in one currency.
type cube struct {
	Currency   string
	Currencies []string // all, the largest first
	// Spent is the spend per currency.
	Spent map[string]money.Amount
	Rows  []costRow
	// Pairs are the two sides of sharing, if the page shows teams after sharing. They move
	// cost between teams and add up to zero in everything else.
	Pairs    []costRow
	Step     metrics.Granularity
	Span     period.Interval // covered by the rows
	NonGPU   money.Amount    // outside the fleet, not in Rows
	Unpriced money.Amount    // GPU-hours held without any bill or rate
	Missing  int             // rows whose bill lacks the chosen basis
	// Unbilled is capacity in GPU-hours without any bill or rate, by cause.
	Unbilled map[ledger.Cause]money.Amount
}

// readCube reads the cube once; every panel of the overview sums the same rows.
func readCube(ctx context.Context, reader page.Reader, s page.Scope) (*cube, error) {
	c := &cube{Step: page.StepOf(s.Span), Span: s.Span, Unbilled: map[ledger.Cause]money.Amount{}}
	if c.Step == metrics.Hour && s.Sharing != "" { // pairs are by day
		c.Step = metrics.Day
	}
	perCurrency := map[string][]costRow{}
	total, nonGPU, missing := map[string]money.Amount{}, map[string]money.Amount{}, map[string]int{}
	grouping := "provider,pricing,cause,team,state,quality"
	if s.Sharing != "" {
		grouping += ",kind"
	}
	pairs := map[string][]costRow{}
	o := s.Costs(metrics.Options{GroupBy: grouping, Granularity: string(c.Step), Sharing: s.Sharing})
	only := []string{s.Basis + "_cost", "gpu_hours", "active_gpu_hours", "capacity_gpu_hours", "state"}
	err := page.Each(ctx, reader, "costs", o, only, func(r page.Record) error {
		row := costRow{
			Step: r.Second("period_start"), Provider: r.Text("provider"),
			Pricing: r.Text("pricing"), Cause: ledger.Cause(r.Text("cause")), Team: r.Text("team"),
			State: ledger.State(r.Text("state")), Quality: ledger.Quality(r.Text("quality")), Cost: r.Amount(s.Basis + "_cost"),
			GPUHours: r.Known("gpu_hours"), Active: r.Known("active_gpu_hours"), Capacity: r.Known("capacity_gpu_hours"),
		}
		currency := r.Text("currency")
		if currency == "" {
			page.Add(&c.Unpriced, row.GPUHours)
			c.Unbilled[row.Cause] = c.Unbilled[row.Cause].Add(row.Capacity)
			return nil
		}
		var cost money.Amount
		if row.Cost != nil {
			cost = *row.Cost
		} else {
			missing[currency]++
		}
		if kind := ledger.PostingKind(r.Text("kind")); kind == ledger.SharedIn || kind == ledger.SharedOut {
			if row.Cause != ledger.NonGPU {
				pairs[currency] = append(pairs[currency], row)
			}
			return nil
		}
		if row.Cause == ledger.NonGPU {
			nonGPU[currency] = nonGPU[currency].Add(cost)
			if _, ok := total[currency]; !ok {
				total[currency] = money.Amount{}
			}
			return nil
		}
		total[currency] = total[currency].Add(cost)
		perCurrency[currency] = append(perCurrency[currency], row)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for currency := range total {
		c.Currencies = append(c.Currencies, currency)
	}
	sort.Slice(c.Currencies, func(i, j int) bool {
		a, b := c.Currencies[i], c.Currencies[j]
		if cmp := total[a].Cmp(total[b]); cmp != 0 {
			return cmp > 0
		}
		return a < b
	})
	if len(c.Currencies) > 0 {
		c.Currency = c.Currencies[0]
	}
	if s.Currency != "" && len(c.Currencies) > 0 { // also one without cost: the page says so
		c.Currency = s.Currency
	}
	c.Spent = total
	c.Rows, c.Pairs, c.NonGPU, c.Missing = perCurrency[c.Currency], pairs[c.Currency], nonGPU[c.Currency],
		missing[c.Currency]
	return c, nil
}

// readPerActive reads the cost per active GPU-hour over the same cost as the cube, by
// currency: that of the fleet, before sharing.
func readPerActive(ctx context.Context, reader page.Reader, s page.Scope) (map[string]*big.Rat, error) {
	rates := map[string]*big.Rat{}
	o := s.Costs(metrics.Options{Filter: "cause != " + page.Quote(string(ledger.NonGPU))})
	err := page.Each(ctx, reader, "costs", o, []string{"cost_per_active_gpu_hour"}, func(r page.Record) error {
		if rate := r.Amount("cost_per_active_gpu_hour"); rate != nil {
			rates[r.Text("currency")] = rate.Rat()
		}
		return nil
	})
	return rates, err
}

// shared is the cube with the pairs of sharing among its rows.
func (c *cube) shared() *cube {
	if len(c.Pairs) == 0 {
		return c
	}
	after := *c
	after.Rows = slices.Concat(c.Rows, c.Pairs)
	return &after
}

// sums holds the totals of a group of rows.
type sums struct {
	Cost, Provisional          money.Amount
	GPUHours, Active, Capacity money.Amount
	Unseen                     money.Amount // capacity that was not observed
	ByCause                    map[ledger.Cause]money.Amount
	// LostAssumed is the part of lost that no checkpoint proves; the real loss is between
	// 0 and this (docs/rules.md 6.10, 7.12).
	LostAssumed              money.Amount
	absolute                 map[ledger.Quality]money.Amount // |cost| by quality
	open, provisional, known bool
	priced                   bool // a bill or a rate covers at least a part
}

func (t *sums) add(r costRow) {
	if t.ByCause == nil {
		t.ByCause = map[ledger.Cause]money.Amount{}
	}
	if t.absolute == nil {
		t.absolute = map[ledger.Quality]money.Amount{}
	}
	if r.Cost != nil {
		t.priced = true
		page.Add(&t.Cost, *r.Cost)
		t.ByCause[r.Cause] = t.ByCause[r.Cause].Add(*r.Cost)
		if r.State == ledger.Provisional {
			page.Add(&t.Provisional, *r.Cost)
		}
		if r.Cause == ledger.Lost && r.Quality == ledger.Assumed {
			page.Add(&t.LostAssumed, *r.Cost)
		}
		size := *r.Cost
		if size.Sign() < 0 {
			size = size.Neg()
		}
		t.absolute[r.Quality] = t.absolute[r.Quality].Add(size)
	}
	t.known = true
	t.provisional = t.provisional || r.State == ledger.Provisional
	t.open = t.open || r.State == ledger.Open
	page.Add(&t.GPUHours, r.GPUHours)
	page.Add(&t.Active, r.Active)
	page.Add(&t.Capacity, r.Capacity)
	if r.Cause == ledger.Unobserved {
		page.Add(&t.Unseen, r.Capacity)
	}
}

// partlySeen reports whether some capacity was observed but more than a tenth was not.
func (t *sums) partlySeen() bool {
	tenth := new(big.Rat).Mul(t.Capacity.Rat(), big.NewRat(1, 10))
	return t.Unseen.Rat().Cmp(tenth) > 0 && t.Unseen.Cmp(t.Capacity) < 0
}

// lostAtLeast is the proven loss.
func (t *sums) lostAtLeast() money.Amount { return t.ByCause[ledger.Lost].Sub(t.LostAssumed) }

// quality applies the rule of quality columns to cells of the cube. The dataset costs has
// no such column, because quality is one of its keys.
func (t *sums) quality() ledger.Quality { return metrics.WorstQuality(t.absolute) }

// state is the least settled state of the rows, empty without rows.
func (t *sums) state() ledger.State {
	switch {
	case !t.known:
		return ""
	case t.provisional:
		return ledger.Provisional
	case t.open:
		return ledger.Open
	}
	return ledger.Final
}

// total adds up all rows.
func (c *cube) total() *sums {
	t := &sums{ByCause: map[ledger.Cause]money.Amount{}}
	for _, r := range c.Rows {
		t.add(r)
	}
	return t
}

// by adds rows up per key.
func by[K comparable](c *cube, key func(costRow) K) map[K]*sums {
	out := map[K]*sums{}
	for _, r := range c.Rows {
		k := key(r)
		if out[k] == nil {
			out[k] = &sums{}
		}
		out[k].add(r)
	}
	return out
}

// largestOf lists the keys of groups by cost, the largest first.
func largestOf(groups map[string]*sums) []string {
	cost := map[string]money.Amount{}
	for k, t := range groups {
		cost[k] = t.Cost
	}
	return page.Largest(cost)
}

// covered is the part of step i that can have data.
func (c *cube) covered(i int, steps []period.Second, extent period.Interval) period.Interval {
	part := period.Interval{From: steps[i], To: c.after(steps[i])}.Intersect(c.Span)
	if extent.Empty() {
		return part
	}
	return part.Intersect(extent)
}

// partial reports whether data begins or ends inside step i. Drawn as a whole step it
// would show a rise or fall that did not happen.
func (c *cube) partial(i int, steps []period.Second, extent period.Interval) bool {
	return c.covered(i, steps, extent).Seconds() < int64(c.after(steps[i])-steps[i])
}

// uneven reports whether step i is partial and enough steps remain to draw a course
// without it.
func (c *cube) uneven(i int, steps []period.Second, extent period.Interval) bool {
	return len(steps) > 3 && c.partial(i, steps, extent)
}

// partName names the covered part of a step, "from 09:00" or "to 14:05"; empty for a whole
// step.
func (c *cube) partName(i int, steps []period.Second, extent period.Interval) string {
	part, name := c.covered(i, steps, extent), format.Clock
	if c.Step == metrics.Week || c.Step == metrics.Month {
		name = format.Day
	}
	if part.Empty() {
		return ""
	}
	text := ""
	if part.From > steps[i] {
		text = "from " + name(part.From)
	}
	if part.To < c.after(steps[i]) {
		if text != "" {
			text += " "
		}
		text += "to " + name(part.To)
	}
	return text
}

// after is the end of the step that starts at.
func (c *cube) after(at period.Second) period.Second {
	switch c.Step {
	case metrics.Hour:
		return at + period.Hour
	case metrics.Week:
		return at + 7*period.Day
	case metrics.Month:
		return period.MonthOf(at).To
	}
	return at + period.Day
}

// steps lists the starts of all steps of the span, also of those without rows.
func (c *cube) steps() []period.Second {
	var out []period.Second
	if c.Span.Empty() {
		return nil
	}
	at := c.Span.From.Floor(period.Day)
	switch c.Step {
	case metrics.Hour:
		at = c.Span.From.Floor(period.Hour)
	case metrics.Week:
		at -= period.Second((int64(at.Time().Weekday())+6)%7) * period.Day
	case metrics.Month:
		at = period.MonthOf(at).From
	}
	for at < c.Span.To {
		out = append(out, at)
		at = c.after(at)
	}
	return out
}
