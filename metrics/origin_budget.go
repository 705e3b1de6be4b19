package metrics

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// budgetOrigin explains a figure of a budget: the spend by a further key down to costs, the projection by its days, the
// amount by its versions and parts.
func budgetOrigin(ctx context.Context, o *origins, row []Value, out *Origin) (bool, error) {
	b := &budgetRow{origins: o, row: row}
	out.Name, out.Of = Label(o.column.Name)+" of "+o.text(row, "name"), ""
	out.Unit, out.State = b.unit(o.column), ""
	if b.amount(row, "provisional").Sign() != 0 && slices.Contains([]string{"provisional", "projected", "ratio"},
		o.column.Name) {
		out.State = string(ledger.Provisional)
	}
	plan, err := readPlan(ctx, o.from)
	if err != nil {
		return false, err
	}
	i := slices.IndexFunc(plan.versions.Rows, func(v []Value) bool {
		return plan.text(v, "budget_id") == o.text(row, "budget_id")
	})
	if i < 0 {
		return false, &NotFoundError{Subject: "budget " + o.text(row, "name")}
	}
	b.asked, b.plan = plan.asks(plan.versions.Rows[i]), plan
	switch o.column.Name {
	case "actual", "provisional":
		err = b.spend(ctx, out)
	case "projected":
		b.projected(out)
	case "ratio":
		out.Formula = "(actual + provisional) ÷ amount"
		out.Terms = b.terms("actual", "provisional", "amount")
		sum := b.amount(row, "actual").Add(b.amount(row, "provisional"))
		out.check(rounded(new(big.Rat).Quo(sum.Rat(), b.amount(row, "amount").Rat()), Ratio))
	case "unallocated":
		out.Formula = "amount − Σ amounts of its parts"
		if out.Value != nil {
			out.Parts, out.PartsBy = append(b.terms("amount"), b.children(true)...), "budget"
		}
	case "amount":
		err = b.versions(ctx, out)
	default:
		return false, nil
	}
	return true, err
}

// budgetRow are the figures of a row of budgets.
type budgetRow struct {
	*origins
	row   []Value
	asked asked
	plan  plan
}

// unit is the unit of a figure of the budget.
func (b *budgetRow) unit(c Column) string {
	if c.Kind == Ratio {
		return ""
	}
	return cmp.Or(b.text(b.row, "currency"), b.text(b.row, "unit"))
}

// terms are other figures of the budget.
func (b *budgetRow) terms(columns ...string) (list []Term) {
	for _, name := range columns {
		list = append(list, Term{Name: Label(name), Value: b.cell(b.row, name), Unit: b.unit(Column{}),
			Leads: []Lead{{Label(name), b.subject(name, b.row)}}})
	}
	return list
}

// spend takes the spend apart by the first key that has several values, each part with the costs behind it.
func (b *budgetRow) spend(ctx context.Context, out *Origin) error {
	actual := b.column.Name == "actual"
	out.Formula = map[bool]string{
		true:  "Σ spend of hours with a bill, open or final",
		false: "Σ spend of hours without a bill, at the rate of their machine",
	}[actual]
	if left := b.text(b.row, "unconverted"); left != "" {
		out.Sentence += " Cost in " + left + " is left out: no stored rate converts it."
	}
	out.Leads = []Lead{{"All of it, down to bill lines", b.costs(actual, "", "")}}
	for _, name := range []string{"project", "team", "model", "service", "cause"} {
		key, ok := LookupKey(name)
		if b.asked.unit == string(ledger.BudgetTokens) {
			key, ok = inference.groupKey(name)
		}
		if !ok || name == b.asked.key {
			continue
		}
		spent, err := b.asked.spent(ctx, b.from, Total, key)
		if err != nil {
			return err
		}
		var parts []Term
		for at, s := range spent {
			sum := s.provisional
			if actual {
				sum = s.actual
			}
			if at.value != b.text(b.row, "value") || sum.IsZero() {
				continue
			}
			parts = append(parts, Term{Name: cmp.Or(at.part, "no "+name), Value: new(sum.String()), Unit: out.Unit,
				Leads: []Lead{{cmp.Or(at.part, "no "+name), b.costs(actual, name, at.part)}}})
		}
		if len(parts) > 1 || name == "cause" {
			slices.SortFunc(parts, func(x, y Term) int {
				return cmp.Or(y.rat().Cmp(x.rat()), cmp.Compare(x.Name, y.Name))
			})
			out.Parts, out.PartsBy = parts, name
			break
		}
	}
	if len(out.Parts) == 0 {
		out.check(new(big.Rat))
	}
	return nil
}

// costs is the subject of what counts as spend, of all of it or with one value of a key.
func (b *budgetRow) costs(actual bool, key, value string) string {
	opt := Options{}
	if b.asked.window.From != 0 {
		opt.From = b.asked.window.From.Time().Format(time.RFC3339)
	}
	if b.asked.window.To != 0 {
		opt.To = b.asked.window.To.Time().Format(time.RFC3339)
	}
	var terms []string
	if b.asked.key != ledger.BudgetAll {
		terms = append(terms, IsValue(b.asked.key, Value{Valid: true, Text: b.text(b.row, "value")}, Text))
	}
	if key != "" {
		terms = append(terms, IsValue(key, Value{Valid: true, Text: value}, Text))
	}
	if b.asked.unit == string(ledger.BudgetTokens) {
		return FigureSubject(inference.Name, "generation_tokens", opt, terms...)
	}
	state := "state != " + string(ledger.Provisional)
	if !actual {
		state = "state = " + string(ledger.Provisional)
	}
	column := "gpu_hours"
	if b.asked.unit == string(ledger.BudgetMoney) {
		column = string(ledger.EffectiveCost)
	}
	return FigureSubject(costs.Name, column, opt, append(terms, state)...)
}

// projected shows how the spend goes on to the end of the period.
func (b *budgetRow) projected(out *Origin) {
	sum := b.amount(b.row, "actual").Add(b.amount(b.row, "provisional"))
	out.Parts, out.PartsBy = b.terms("actual", "provisional"), "time"
	value := ratOf(out.Value)
	if value == nil {
		return
	}
	if rest := new(big.Rat).Sub(value, sum.Rat()); rest.Sign() != 0 {
		out.Parts = append(out.Parts, Term{Name: "still to come at this rate", Value: new(short(rest)), Unit: out.Unit})
	}
	w, stored := b.asked.window, b.plan.stored
	elapsed := int64(min(stored, w.To) - w.From)
	if w.To == 0 || stored >= w.To || elapsed <= 0 || sum.Sign() < 0 {
		out.Formula = "actual + provisional: nothing of the period is to come"
		if w.To == 0 {
			out.Formula = "actual + provisional: a life has no end to project to"
		}
		return
	}
	out.Formula = "spend ÷ days so far × days of the period"
	days := func(seconds int64) string { return short(big.NewRat(seconds, period.Day)) }
	out.Terms = []Term{
		{Name: "spend", Value: new(sum.String()), Unit: out.Unit, Note: "actual + provisional"},
		{Name: "days so far", Value: new(days(elapsed)), Unit: "days", Note: "to " + stored.String()},
		{Name: "days of the period", Value: new(days(w.Seconds())), Unit: "days"},
		{
			Name: "burn rate", Value: new(short(new(big.Rat).Quo(sum.Rat(), big.NewRat(elapsed, period.Day)))),
			Unit: out.Unit + " per day", Note: "spend ÷ days so far",
		},
	}
	out.check(sum.MulRat(big.NewRat(w.Seconds(), elapsed)).Rat())
}

// children are the amounts of the budget's parts, negated to be taken away.
func (b *budgetRow) children(negated bool) (list []Term) {
	for _, v := range b.plan.versions.Rows {
		if b.plan.text(v, "parent") != b.text(b.row, "name") {
			continue
		}
		amount := money.MustParse(b.plan.text(v, "amount"))
		if negated {
			amount = amount.Neg()
		}
		list = append(list, Term{Name: b.plan.text(v, "name"), Value: new(amount.String()), Unit: b.unit(Column{}),
			Leads: []Lead{{b.plan.text(v, "name"), FigureSubject(budgets.Name, "amount", Options{},
				IsValue("budget_id", Value{Valid: true, Text: b.plan.text(v, "budget_id")}, Text))}}})
	}
	return list
}

// versions are the amounts that the budget had, with who set each and why; its parts, if it has any, add up to it.
func (b *budgetRow) versions(ctx context.Context, out *Origin) error {
	q, err := Parse(budgetVersions.Name, Options{
		Filter: IsValue("budget_id", Value{Valid: true, Text: b.text(b.row, "budget_id")}, Text),
	})
	if err != nil {
		return err
	}
	a, err := ReadAnswer(ctx, b.from, q)
	if err != nil {
		return err
	}
	for _, row := range a.Rows {
		text := func(name string) string {
			if t := textOf(a, row, name); t != nil {
				return *t
			}
			return ""
		}
		out.Terms = append(out.Terms, Term{Name: "version " + text("version"), Value: textOf(a, row, "amount"), Unit: out.Unit,
			Note: fmt.Sprintf("set by %s at %s%s", text("changed_by"), text("changed_at"), prefixed(": ", text("reason")))})
	}
	if len(out.Terms) > 0 { // the newest comes first
		out.check(out.Terms[0].rat())
	}
	out.Formula = "the newest version that was set"
	if list := b.children(false); len(list) > 0 {
		out.Parts = append(list, b.terms("unallocated")...)
		out.PartsBy = "budget"
	}
	return nil
}
