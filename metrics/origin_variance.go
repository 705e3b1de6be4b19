package metrics

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics/variance"
)

// varianceFormulas are the formulas of metrics/variance, with the symbols of the terms.
var varianceFormulas = map[string]string{
	"difference":    "volume + efficiency + mix + price + exchange + without hours",
	"volume":        "(U1 − U0) ÷ e0 × p0",
	"efficiency":    "U1 × (1 ÷ e1 − 1 ÷ e0) × p0",
	"mix":           "H1 × Σ (share now − share before) × price before, over GPU models and price classes",
	"price":         "H1 × Σ share now × (price now − price before), over GPU models and price classes",
	"exchange":      "cost after × (rate after − rate before), over the currencies of the bills",
	"without_hours": "cost after − cost before, of GPU models and price classes without capacity hours in that period",
	"cost_before":   "Σ cost of the period that is compared with",
	"cost_after":    "Σ cost of the period",
}

// bothPeriods are the two periods of a row of variance.
type bothPeriods struct {
	*origins
	opt    Options // of the costs of both: the filter and the sharing
	billed map[string]*[2]side
}

// varianceOrigin explains a bar of a difference: its formula with the hours of both periods, and its parts by GPU
// model and price class, each with the costs behind it.
func varianceOrigin(ctx context.Context, o *origins, row []Value, out *Origin) (bool, error) {
	b, err := o.bothPeriods(ctx, row)
	if err != nil {
		return false, err
	}
	name := o.column.Name
	out.Formula = cmp.Or(varianceFormulas[name], "Σ "+Lower(name))
	if out.State, err = b.state(ctx); err != nil {
		return false, err
	}
	out.Leads = b.bothLeads(nil)
	switch name {
	case "difference":
		for _, part := range variance.Names {
			out.Parts = append(out.Parts, Term{Name: Label(part), Value: o.cell(row, part), Unit: out.Unit,
				Leads: []Lead{{Label(part), o.subject(part, row)}}})
		}
		out.PartsBy = "reason"
		out.Terms = append(out.Terms, Term{Name: Label("cost_before"), Value: o.cell(row, "cost_before"), Unit: out.Unit},
			Term{Name: Label("cost_after"), Value: o.cell(row, "cost_after"), Unit: out.Unit})
		out.check(new(big.Rat).Sub(o.amount(row, "cost_after").Rat(), o.amount(row, "cost_before").Rat()))
	case "cost_before", "cost_after":
		which := map[string]int{"cost_before": 0, "cost_after": 1}[name]
		b.costParts(which, out)
		out.Leads = b.leadsOf(which, nil, "costs")
	case "capacity_gpu_hours_before", "capacity_gpu_hours_after", "active_gpu_hours_before", "active_gpu_hours_after":
		return true, nil
	default:
		out.Terms = b.terms(name)
		b.parts(slices.Index(variance.Names[:], name), out)
	}
	out.Sentence = b.sentence(row, name, out)
	return true, nil
}

// bothPeriods asks for both periods of a row by GPU model and price class, as the dataset does.
func (o *origins) bothPeriods(ctx context.Context, row []Value) (*bothPeriods, error) {
	opt := o.given
	opt.GroupBy = ""
	b := &bothPeriods{origins: o, opt: Options{TZ: opt.TZ, Sharing: opt.Sharing, BillingPeriod: opt.BillingPeriod,
		Filter: o.baseFilter(row)}}
	opt.Filter = b.opt.Filter
	q, err := Parse(varianceOf.Name, opt)
	if err != nil {
		return nil, err
	}
	c := comparison{q: q, groups: map[string]*group{}}
	if q.Currency != "" {
		if c.rates, err = o.from.ExchangeRates(ctx, q.Currency); err != nil {
			return nil, err
		}
	}
	for i, asked := range q.compares() {
		if asked == nil {
			continue
		}
		a, err := ReadAnswer(ctx, o.from, *asked)
		if err != nil {
			return nil, err
		}
		if err := c.gather(a, i); err != nil {
			return nil, err
		}
	}
	for _, g := range c.groups {
		if g.currency == o.text(row, "currency") {
			b.billed = g.billed
		}
	}
	return b, nil
}

// windows are the periods, the earlier first.
func (b *bothPeriods) windows() [2]period.Interval {
	return [2]period.Interval{b.q.Against, b.q.Window}
}

var whichPeriod = [2]string{"before", "after"}

// leadsOf leads to the costs of one of the periods, of all classes or of one.
func (b *bothPeriods) leadsOf(which int, class *variance.Class, what string) []Lead {
	w := b.windows()[which]
	if w.Empty() && (which == 0 || b.q.Window != (period.Interval{})) {
		return nil
	}
	opt := b.opt
	if !w.Empty() {
		opt.From, opt.To = w.From.Time().Format(time.RFC3339), w.To.Time().Format(time.RFC3339)
	}
	if class != nil {
		opt.Filter = Both(opt.Filter, IsValue("gpu_model", Value{Valid: true, Text: class.Model}, Text),
			IsValue("pricing", Value{Valid: true, Text: class.Pricing}, Text))
	}
	runs := opt
	runs.GroupBy = "run"
	return []Lead{{what + " " + whichPeriod[which], subjectOf(costs.Name, opt)},
		{"runs " + whichPeriod[which], subjectOf(costs.Name, runs)}}
}

func (b *bothPeriods) bothLeads(class *variance.Class) []Lead {
	return append(b.leadsOf(0, class, "costs"), b.leadsOf(1, class, "costs")...)
}

// state is the least settled state of both periods.
func (b *bothPeriods) state(ctx context.Context) (state string, err error) {
	for i, w := range b.windows() {
		opt := b.opt
		if w.Empty() && i == 0 {
			continue
		}
		if !w.Empty() {
			opt.From, opt.To = w.From.Time().Format(time.RFC3339), w.To.Time().Format(time.RFC3339)
		}
		q, err := Parse(costs.Name, opt)
		if err != nil {
			return "", err
		}
		q.Only = []string{"state", "effective_cost", "currency"}
		a, err := ReadAnswer(ctx, b.from, q)
		if err != nil {
			return "", err
		}
		for _, row := range a.Rows {
			t := textOf(a, row, "state")
			if t != nil && ledger.State(*t).Awaits(row[a.At("effective_cost")].Valid) {
				state = max(state, *t) // final < open < provisional
			}
		}
	}
	return state, nil
}

// sums are the hours of both periods over all bills, and the cost of the earlier one where it has hours.
func (b *bothPeriods) sums() (capacity, useful [2]money.Amount, withHours money.Amount) {
	for _, sides := range b.billed {
		for i := range sides {
			capacity[i], useful[i] = capacity[i].Add(sides[i].capacity), useful[i].Add(sides[i].Useful)
		}
		for _, c := range sides[0].Cells {
			if !c.Hours.IsZero() {
				withHours = withHours.Add(c.Cost)
			}
		}
	}
	return capacity, useful, withHours
}

// terms are the numbers of a part's formula.
func (b *bothPeriods) terms(part string) []Term {
	capacity, useful, cost := b.sums()
	terms := []Term{}
	paced := part == "volume" || part == "efficiency"
	if !paced && part != "mix" && part != "price" {
		return terms
	}
	for i, side := range whichPeriod {
		for _, h := range []struct {
			symbol, name, column string
			hours                money.Amount
		}{{"H", "capacity GPU-hours ", "capacity_gpu_hours", capacity[i]},
			{"U", "useful GPU-hours ", "active_gpu_hours", useful[i]}} {
			if h.symbol == "U" && !paced {
				continue
			}
			terms = append(terms, Term{Symbol: fmt.Sprintf("%s%d", h.symbol, i), Name: h.name + side, Unit: "GPU-hours",
				Value: new(h.hours.String()), Leads: b.hoursLead(i, h.column)})
		}
	}
	if !paced {
		return terms
	}
	for i, side := range whichPeriod {
		e := Term{Symbol: fmt.Sprintf("e%d", i), Name: "efficiency " + side, Note: fmt.Sprintf("U%d ÷ H%d", i, i)}
		if !capacity[i].IsZero() {
			e.Value = new(short(new(big.Rat).Quo(useful[i].Rat(), capacity[i].Rat())))
		}
		terms = append(terms, e)
	}
	if len(b.billed) == 1 {
		p := Term{Symbol: "p0", Name: "cost per capacity GPU-hour before", Note: "cost with hours ÷ H0"}
		for currency := range b.billed {
			p.Unit = currency + " per GPU-hour"
		}
		if !capacity[0].IsZero() {
			p.Value = new(short(new(big.Rat).Quo(cost.Rat(), capacity[0].Rat())))
		}
		terms = append(terms, p)
	}
	return terms
}

func (b *bothPeriods) hoursLead(which int, column string) []Lead {
	leads := b.leadsOf(which, nil, "costs")
	if leads == nil {
		return nil
	}
	opt := b.opt
	if w := b.windows()[which]; !w.Empty() {
		opt.From, opt.To = w.From.Time().Format(time.RFC3339), w.To.Time().Format(time.RFC3339)
	}
	return []Lead{{Label(column), FigureSubject(costs.Name, column, opt)}}
}

// short prints a rational to twelve decimals at most.
func short(r *big.Rat) string { return money.FromRat(r).String() }

// parts are the shares of a bar: of each GPU model and price class, or of the bills of a currency for the part that
// exchange rates make.
func (b *bothPeriods) parts(part int, out *Origin) {
	value := ratOf(out.Value)
	if value == nil {
		return
	}
	var shares []*big.Rat
	for _, currency := range slices.Sorted(maps.Keys(b.billed)) {
		s := b.billed[currency]
		if variance.Part(part) == variance.Exchange {
			whole := variance.Split(s[0].Period, s[1].Period).In(s[0].cost, s[1].cost, s[0].Cost(), s[1].Cost())
			if whole[part].Sign() != 0 {
				shares = append(shares, whole[part])
				out.Parts = append(out.Parts, Term{Name: "bills in " + currency, Unit: out.Unit, Leads: b.bothLeads(nil)})
			}
			continue
		}
		rate := variance.Rate(s[0].cost, s[1].cost, s[0].Cost(), s[1].Cost())
		of := variance.ByClass(s[0].Period, s[1].Period)
		for _, class := range sortedClasses(of) {
			share := of[class][part]
			if share.Sign() == 0 {
				continue
			}
			if rate != nil {
				share = new(big.Rat).Mul(share, rate)
			}
			shares = append(shares, share)
			t := Term{Name: className(class), Unit: out.Unit, Note: classNote(s[0].Cells[class], s[1].Cells[class], currency),
				Leads: b.bothLeads(&class)}
			out.Parts = append(out.Parts, t)
		}
	}
	out.PartsBy = "GPU model, price class"
	if variance.Part(part) == variance.Exchange {
		out.PartsBy = "currency of the bill"
	}
	for i, a := range variance.RoundTo(money.FromRat(value), shares) {
		out.Parts[i].Value = new(a.String())
	}
	if len(shares) == 0 {
		out.check(new(big.Rat))
	}
}

// classNote is what a class cost per hour in both periods.
func classNote(was, is variance.Cell, currency string) string {
	of := func(c variance.Cell) string {
		if c.Hours.IsZero() {
			return c.Cost.String() + " " + currency + " without hours"
		}
		return c.Hours.String() + " GPU-hours at " + short(new(big.Rat).Quo(c.Cost.Rat(), c.Hours.Rat())) + " " + currency
	}
	return of(was) + " before, " + of(is) + " after"
}

func sortedClasses[T any](of map[variance.Class]T) []variance.Class {
	return slices.SortedFunc(maps.Keys(of), func(a, b variance.Class) int {
		return cmp.Or(cmp.Compare(a.Model, b.Model), cmp.Compare(a.Pricing, b.Pricing))
	})
}

func className(c variance.Class) string {
	return cmp.Or(c.Model, "no GPU model") + ", " + cmp.Or(c.Pricing, "no price class")
}

// costParts are the costs of a period by GPU model and price class; none if they are converted day by day.
func (b *bothPeriods) costParts(which int, out *Origin) {
	s, ok := b.billed[out.Unit]
	if !ok || len(b.billed) > 1 {
		return
	}
	for _, class := range sortedClasses(s[which].Cells) {
		c := s[which].Cells[class]
		out.Parts = append(out.Parts, Term{
			Name: className(class), Value: new(c.Cost.String()), Unit: out.Unit, Leads: b.leadsOf(which, &class, "costs"),
		})
	}
	out.PartsBy = "GPU model, price class"
}

// sentence says what a bar means in this row.
func (b *bothPeriods) sentence(row []Value, name string, out *Origin) string {
	text := b.column.Doc
	if out.Value == nil {
		return text
	}
	capacity, useful, _ := b.sums()
	switch name {
	case "volume":
		text += fmt.Sprintf(" Useful GPU-hours were %s before and are %s.", hoursWord(useful[0]), hoursWord(useful[1]))
	case "efficiency":
		text += fmt.Sprintf(" %s of %s capacity hours were useful before, %s of %s are.", hoursWord(useful[0]),
			hoursWord(capacity[0]), hoursWord(useful[1]), hoursWord(capacity[1]))
	case "difference":
		text += fmt.Sprintf(" The cost was %s before and is %s %s.", b.text(row, "cost_before"), b.text(row, "cost_after"),
			out.Unit)
	}
	return text
}

// hoursWord prints hours with one decimal.
func hoursWord(a money.Amount) string { return a.Rat().FloatString(1) }
