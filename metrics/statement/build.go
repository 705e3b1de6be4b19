package statement

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/metrics/variance"
)

// Build returns the statement of one owner, or a *NothingError if the month has no bill for that owner.
func Build(ctx context.Context, from Reader, q Question) (*Statement, error) {
	all, err := All(ctx, from, q)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, &NothingError{q}
	}
	return all[0], nil
}

// All returns the statement of every owner by the question's key, in order of their names. A question that names an
// owner gets the statement of that owner alone.
func All(ctx context.Context, from Reader, q Question) ([]*Statement, error) {
	rows, err := q.costs(ctx, from, q.Month)
	if err != nil {
		return nil, err
	}
	owners := map[string]*draft{}
	q.gather(owners, rows, (*draft).add)
	if len(owners) == 0 {
		return nil, nil
	}
	if rows, err = q.costs(ctx, from, q.before()); err != nil {
		return nil, err
	}
	q.gather(owners, rows, (*draft).addBefore)
	closings, err := q.closings(ctx, from)
	if err != nil {
		return nil, err
	}
	budgets, err := q.budgets(ctx, from)
	if err != nil {
		return nil, err
	}
	var conditions []string
	if v := access.From(ctx); v.Bounded() {
		if conditions, err = from.Conditions(ctx, v); err != nil {
			return nil, err
		}
	}
	var out []*Statement
	for _, value := range slices.Sorted(maps.Keys(owners)) {
		if d := owners[value]; len(d.accounts) > 0 {
			of := q.of(value)
			covers, err := of.covers(conditions)
			if err != nil {
				return nil, err
			}
			s, err := d.finish(of, closings, budgets[value], covers)
			if err != nil {
				return nil, err
			}
			out = append(out, s)
		}
	}
	return out, nil
}

// of is the question about one owner.
func (q Question) of(value string) Question {
	q.Value = value
	return q
}

// gather adds the rows with a price to the drafts of their owners.
func (q Question) gather(owners map[string]*draft, t table, add func(*draft, table, []metrics.Value)) {
	for _, row := range t.Rows {
		if !t.value(row, "currency").Valid {
			continue
		}
		value := cmp.Or(t.text(row, q.Key.Name), Unowned)
		d := owners[value]
		if d == nil {
			d = &draft{accounts: map[string]string{}, lines: map[lineKey]*Line{}, charges: map[string]*Charge{},
				months: map[string]*[2]variance.Period{}}
			owners[value] = d
		}
		add(d, t, row)
	}
}

// lineKey identifies a line.
type lineKey struct {
	currency, project string
	named             bool // the project is known
	section           Section
	cause             ledger.Cause
	month             period.Month
}

// draft collects the rows of one owner.
type draft struct {
	accounts  map[string]string // provider by billing account
	lines     map[lineKey]*Line
	charges   map[string]*Charge
	months    map[string]*[2]variance.Period // the month before and the month, by currency
	before    bool                           // something was billed in the month before
	unsettled bool                           // and may still change
	unknown   int                            // rows without a known cost
}

// add adds a row of the month.
func (d *draft) add(t table, row []metrics.Value) {
	account := t.text(row, "billing_account") // pairs of sharing have no provider
	d.accounts[account] = cmp.Or(d.accounts[account], t.text(row, "provider"))
	project, currency := t.value(row, "project"), t.text(row, "currency")
	k := lineKey{currency, project.Text, project.Valid, sectionOf(t.text(row, "kind")),
		ledger.Cause(t.text(row, "cause")), period.MonthName(period.FromTime(t.value(row, "period_start").Time))}
	line := d.lines[k]
	if line == nil {
		line = &Line{Section: k.section, Cause: k.cause, Month: k.month}
		if k.named {
			line.Project = &k.project
		}
		d.lines[k] = line
	}
	addTo(&line.GPUHours, t.value(row, "gpu_hours"))
	addTo(&line.EffectiveCost, t.value(row, "effective_cost"))
	c := d.charges[currency]
	if c == nil {
		c = &Charge{Currency: currency}
		d.charges[currency] = c
	}
	cost := amount(t.value(row, "effective_cost"))
	if !t.value(row, "effective_cost").Valid {
		d.unknown++
	}
	*c.of(k.section) = c.of(k.section).Add(cost)
	if k.section == Direct {
		sure := c.Certainty.of(t.text(row, "team"), ledger.Quality(t.text(row, "quality")))
		*sure = sure.Add(cost)
	}
	d.compare(t, row, 1)
}

// addBefore adds a row of the month before.
func (d *draft) addBefore(t table, row []metrics.Value) {
	d.before = true
	state := ledger.State(t.text(row, "state"))
	d.unsettled = d.unsettled || state != ledger.Final && state.Awaits(t.value(row, "effective_cost").Valid)
	d.compare(t, row, 0)
}

// compare adds a row to one of the two months of the bridge.
func (d *draft) compare(t table, row []metrics.Value, which int) {
	months := d.months[t.text(row, "currency")]
	if months == nil {
		months = new([2]variance.Period)
		d.months[t.text(row, "currency")] = months
	}
	p := &months[which]
	if p.Cells == nil {
		p.Cells = map[variance.Class]variance.Cell{}
	}
	class := variance.Class{Model: t.text(row, "gpu_model"), Pricing: t.text(row, "pricing")}
	cell := p.Cells[class]
	cell.Cost = cell.Cost.Add(amount(t.value(row, "effective_cost")))
	cell.Hours = cell.Hours.Add(amount(t.value(row, "capacity_gpu_hours")))
	p.Cells[class] = cell
	p.Useful = p.Useful.Add(amount(t.value(row, "active_gpu_hours")))
}

// of is the part of direct cost that a row belongs to.
func (c *Certainty) of(team string, quality ledger.Quality) *money.Amount {
	switch {
	case team == "" || team == Unowned:
		return &c.Unowned
	case quality == ledger.Measured:
		return &c.Measured
	case quality == ledger.Estimated:
		return &c.Estimated
	}
	return &c.Assumed
}

// amount is a cell's amount, 0 if unknown.
func amount(v metrics.Value) money.Amount {
	if !v.Valid {
		return money.Amount{}
	}
	return money.MustParse(v.Text)
}

// addTo adds a cell to a sum, which stays unknown while all its cells are.
func addTo(sum **money.Amount, v metrics.Value) {
	if !v.Valid {
		return
	}
	a := money.MustParse(v.Text)
	if *sum != nil {
		a = a.Add(**sum)
	}
	*sum = &a
}

// order sorts lines by section, project and cause; without a project last.
func order(a, b Line) int {
	nameless := func(l Line) int {
		if l.Project == nil {
			return 1
		}
		return 0
	}
	name := func(l Line) string {
		if l.Project == nil {
			return ""
		}
		return *l.Project
	}
	return cmp.Or(cmp.Compare(slices.Index(Sections, a.Section), slices.Index(Sections, b.Section)),
		cmp.Compare(nameless(a), nameless(b)), strings.Compare(name(a), name(b)),
		cmp.Compare(a.Cause.Order(), b.Cause.Order()), strings.Compare(string(a.Cause), string(b.Cause)),
		strings.Compare(string(a.Month), string(b.Month)))
}
