package folder

import (
	"errors"
	"slices"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

func (c *comparison) budgets(list []ledger.Budget) {
	current := map[string]ledger.Budget{}
	for _, b := range c.state.Budgets {
		current[b.Name] = b
	}
	list = slices.Clone(list)
	all := map[string]ledger.Budget{}
	for i := range list {
		c.refused(c.plan.Book.SetEnds(current, list[i:i+1]))
	}
	for _, b := range append(slices.Clone(c.state.Budgets), list...) {
		all[b.Name] = b
	}
	for i := range list {
		b := &list[i]
		c.refused(ledger.CheckParents(all, list[i:i+1]))
		at := Place{b.File, int(b.Line)}
		old, known := current[b.Name]
		switch {
		case known && old.Same(b):
			c.change(at, KindBudgets, b.Name, 0, None, nil)
			continue
		case known:
			c.change(at, KindBudgets, b.Name, 0, Update, budgetFields(&old, b))
		default:
			c.change(at, KindBudgets, b.Name, 0, Create, budgetFields(&ledger.Budget{}, b))
		}
		c.plan.Budgets = append(c.plan.Budgets, *b)
	}
}

// refused lists the refusal of a budget.
func (c *comparison) refused(err error) {
	if e, ok := errors.AsType[*ledger.FileError](err); ok {
		c.fault(Place{e.File, int(e.Line)}, "%s: %s", e.Column, e.Detail)
	} else if err != nil {
		c.fault(Place{File: "."}, "%s", err)
	}
}

// budgetFields lists the fields that differ, by their names in a file.
func budgetFields(was, is *ledger.Budget) (out []policy.Difference) {
	before, after := budgetValues(was), budgetValues(is)
	for i, name := range budgetNames {
		if before[i] != after[i] {
			out = append(out, policy.Difference{Name: name, From: before[i], To: after[i]})
		}
	}
	return out
}

// budgetNames are the fields of a budget but its name, in the order of budgetValues.
var budgetNames = []string{"key", "value", "period", "start", "amount", "unit", "currency", "parent"}

func budgetValues(b *ledger.Budget) []string {
	amount := ""
	if b.Amount.Sign() > 0 {
		amount = b.Amount.String()
	}
	return []string{b.Key, b.Value, string(b.Period), dayOf(b.Start), amount, string(b.Unit), b.Currency, b.Parent}
}

// priced is what a rate is for.
type priced struct{ instanceType, region, class, currency string }

func pricedOf(r *ledger.Rate) priced {
	return priced{r.InstanceType, r.Region, string(r.PriceClass), r.Currency}
}

func (c *comparison) rates(books []Book) {
	known := map[priced][]ledger.Rate{}
	for _, r := range c.state.Rates {
		known[pricedOf(&r)] = append(known[pricedOf(&r)], r)
	}
	for _, b := range books {
		var fields []policy.Difference
		for i := range b.Rates {
			r := &b.Rates[i]
			there := false
			for _, o := range known[pricedOf(r)] {
				switch {
				case !when(&o).Overlaps(when(r)):
				case o.Hourly.Cmp(r.Hourly) != 0:
					c.fault(Place{b.File, b.Lines[i]}, "%s %s costs %s %s in that time already (%s): write valid_from and "+
						"valid_to so that one ends before the other begins", r.InstanceType, r.PriceClass, o.Currency, o.Hourly, o.Source)
				default:
					there = there || when(&o) == when(r)
				}
			}
			if there {
				continue
			}
			known[pricedOf(r)] = append(known[pricedOf(r)], *r)
			c.plan.Rates = append(c.plan.Rates, *r)
			fields = append(fields, policy.Difference{Name: rateName(r), To: r.Currency + " " + r.Hourly.String()})
		}
		machines, known := c.owned(b)
		fields = append(fields, machines...)
		do := Create
		switch {
		case len(fields) == 0:
			do = None
		case known || len(fields)-len(machines) < len(b.Rates):
			do = Update
		}
		c.change(b.Place, KindPriceBook, b.Name, 0, do, fields)
	}
}

// when is the time of a rate, with one spelling of an open end.
func when(r *ledger.Rate) period.Interval {
	w := r.Valid
	if w.To == 0 || w.To > openEnd {
		w.To = openEnd
	}
	return w
}

// openEnd is an end that no rate reaches: the year 9999.
const openEnd period.Second = 253370764800

// rateName says what a rate is for, and when.
func rateName(r *ledger.Rate) string {
	name := r.InstanceType
	for _, word := range []string{r.Region, string(r.PriceClass)} {
		if word != "" {
			name += " " + word
		}
	}
	w := when(r)
	if w.From > 0 {
		name += " from " + w.From.String()
	}
	if w.To < openEnd {
		name += " to " + w.To.String()
	}
	return name
}

func (c *comparison) views(list []View) {
	for _, v := range list {
		do, id := Create, ledger.ID{}
		var fields []policy.Difference
		was := ""
		for _, o := range c.state.Views {
			switch {
			case o.Name != v.Name:
			case o.URL == v.URL:
				do = None
			case o.Own && do == Create:
				do, id, was = Update, o.ID, o.URL
			}
		}
		if do != None {
			fields = []policy.Difference{{Name: "url", From: was, To: v.URL}}
			v.ID = id
			c.plan.Views = append(c.plan.Views, v)
		}
		c.change(v.Place, KindView, v.Name, 0, do, fields)
	}
}
