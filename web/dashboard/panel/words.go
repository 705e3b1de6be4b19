package panel

import (
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/chart"
	"gpuledger/web/views/format"
)

// coin is the format of the sheet's money. If there are several currencies, each has a heading.
func (d *drawing) coin() format.Currency { return format.Currency(d.currency) }

// figure prints an amount of a column, with all digits on hover.
func (d *drawing) figure(c metrics.Column, a *money.Amount) views.Figure {
	if c.Unit == "unit" && d.currency != "" { // of a budget in money
		c.Kind, c.Unit = metrics.Money, "currency"
	}
	return figures.Print(d.Context, c, valueOf(c, a), d.currency)
}

// signed is the figure of the measure; differences have their sign.
func (d *drawing) signed(a *money.Amount) views.Figure {
	f := d.figure(d.column, a)
	if d.Differs && a != nil && d.column.Kind == metrics.Money {
		f.Text = d.coin().Change(*a)
	}
	return f
}

// short is the figure for places with little room.
func (d *drawing) short(c metrics.Column, a *money.Amount) string {
	if a != nil && c.Kind == metrics.Money {
		return d.coin().Compact(*a)
	}
	return d.figure(c, a).Text
}

// valueOf is an amount as a value of a column.
func valueOf(c metrics.Column, a *money.Amount) metrics.Value {
	switch {
	case a == nil:
		return metrics.Null
	case c.Kind.Integer():
		r := a.Rat()
		return metrics.Value{Valid: true, Int: r.Num().Int64()}
	}
	return metrics.Value{Valid: true, Text: a.String()}
}

// wordOf prints the value of a key.
func wordOf(k metrics.Key, v metrics.Value) string {
	if !v.Valid {
		return "no " + metrics.Lower(k.Name)
	}
	return figures.Word(k.Name, v)
}

// name prints the keys of a group.
func (d *drawing) name(g *group) string {
	if g.folded > 0 && d.Others != "" {
		return d.Others
	}
	if g.folded > 0 {
		return format.Plural(g.folded, "other", "others")
	}
	if len(d.keys) == 0 {
		return "All"
	}
	words := make([]string, len(d.keys))
	for i, k := range d.keys {
		words[i] = wordOf(k, g.values[i])
	}
	return strings.Join(words, " · ")
}

// class is the fill of a group: causes have theirs, other things are drawn in shades of ink.
func (d *drawing) class(g *group, i int) string {
	if g.folded == 0 && len(d.keys) == 1 && d.keys[0].Name == "cause" && g.values[0].Valid {
		if ledger.Cause(g.values[0].Text).Order() < len(ledger.Causes) {
			return "t-" + g.values[0].Text + " o"
		}
	}
	if g.folded > 0 || i >= inks {
		return "f-other"
	}
	return "s" + string(rune('1'+i))
}

// inks is the number of shades of ink that distinguish groups; the classes are s1 to s8.
const inks = 8

// unit is the unit of a mark's value: the currency of money, else the column's.
func (d *drawing) unit(c metrics.Column) string {
	switch {
	case c.Kind == metrics.Money:
		return d.currency
	case strings.HasPrefix(c.Unit, "currency"):
		return d.currency + strings.TrimPrefix(c.Unit, "currency")
	case c.Unit == "" && c.Kind == metrics.Ratio:
		return "ratio"
	case c.Unit == "":
		return strings.ReplaceAll(c.Name, "_", " ")
	}
	return c.Unit
}

// mark is the link and the figure of a group, in a step if there is one.
func (d *drawing) mark(kind string, g *group, a *money.Amount, at int) chart.Mark {
	where := At{Others: g.folded > 0, Where: d.Where}
	if where.Others {
		kind, where.Except = "others", d.except(g.kept)
	} else {
		where.Keys, where.Values = keyNames(d.keys), g.values
	}
	m := chart.Mark{Kind: kind, Unit: d.unit(d.column), Title: d.name(g)}
	if at >= 0 && at < len(d.steps) {
		span := d.steps[at].span
		where.From, where.To = page.Address(span.From), page.Address(span.To)
		m.Title += ", " + d.stepName(at)
		if d.steps[at].provisional {
			m.Title += ", provisional" + page.Off(d.currency, d.estimates)
		}
	}
	if a != nil {
		m.Value = a.String()
		m.Title += ": " + d.exact(d.column, a)
	}
	m.Href = d.href(where)
	return m
}

// longestExcept bounds the condition that leaves groups out, in bytes: it becomes part of an address.
const longestExcept = 600

// except is the condition that leaves out groups; empty if it is too long.
func (d *drawing) except(kept []*group) string {
	if len(d.keys) == 0 {
		return ""
	}
	terms := make([]string, len(kept))
	for i, g := range kept {
		terms[i] = At{Keys: keyNames(d.keys), Values: g.values}.Filter()
		if len(d.keys) == 1 {
			terms[i] = page.Quote(g.values[0].Text) // an empty text stands for no value
		}
	}
	text := d.keys[0].Name + " not in (" + strings.Join(terms, ", ") + ")"
	if len(d.keys) > 1 {
		text = "not (" + strings.Join(terms, ") and not (") + ")"
	}
	if len(text) > longestExcept {
		return ""
	}
	return text
}

// exact is a figure with all its digits.
func (d *drawing) exact(c metrics.Column, a *money.Amount) string {
	f := d.figure(c, a)
	if f.Title != "" {
		return f.Title
	}
	return f.Text
}

func (d *drawing) href(at At) string {
	if d.Href != nil {
		return d.Href(d.Scope, at)
	}
	return Narrowed(d.Scope, d.Ask.Dataset, d.Measure, at)
}

func keyNames(keys []metrics.Key) []string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.Name
	}
	return names
}

// stepName prints a step of time.
func (d *drawing) stepName(i int) string {
	span := d.steps[i].span
	switch {
	case span.To-span.From < period.Second(period.Day):
		return format.Instant(span.From)
	case span == period.MonthOf(span.From):
		return format.Month(span.From)
	case span == period.DayOf(span.From):
		return format.Day(span.From)
	}
	return format.ShortDays(span)
}
