package metrics

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
)

// findingOrigin explains a finding: the numbers that met its criterion, and its cost as a part of the costs of the same
// things and hours.
func findingOrigin(ctx context.Context, o *origins, row []Value, out *Origin) (bool, error) {
	if o.q.Regrouped() {
		return false, nil
	}
	out.Of = o.text(row, "label") + ", " + o.text(row, "subject")
	out.Sentence = o.column.Doc + " " + o.text(row, "meaning")
	var evidence []struct {
		Name, Unit, Said, Bound string
		Value, Threshold        json.Number
	}
	if text := o.text(row, "evidence_json"); text != "" {
		if err := json.Unmarshal([]byte(text), &evidence); err != nil {
			return false, fmt.Errorf("evidence of finding %s: %w", o.text(row, "finding_id"), err)
		}
	}
	for _, e := range evidence {
		out.Terms = append(out.Terms, Term{Name: e.Name, Value: new(e.Value.String()), Unit: e.Unit, Note: e.Said})
	}
	for _, name := range []string{"hours", "hours_met", "gpu_hours"} {
		c, _ := o.q.Dataset.Column(name)
		out.Terms = append(out.Terms, Term{Name: Label(name), Value: o.cell(row, name), Unit: c.Unit})
	}
	switch o.column.Name {
	case "effective_cost", "idle_cost":
		out.Formula = "the share of the costs of its hours that met the criterion"
		return true, o.partOfCosts(ctx, row, out, "cost of the same hours that is not in the finding")
	case "cost_per_month":
		return true, o.perMonth(row, out, "effective_cost", "hours")
	}
	out.Formula = o.column.Doc
	return true, nil
}

// partOfCosts shows a figure as a part of the costs of the same keys and hours, and leads to these.
func (o *origins) partOfCosts(ctx context.Context, row []Value, out *Origin, rest string) error {
	leads, err := o.leads(ctx, row, out)
	if err != nil {
		return err
	}
	out.Leads = leads
	opt, ok := o.costsOf(row)
	value := ratOf(out.Value)
	if !ok || value == nil {
		return nil
	}
	text, err := o.costIn(ctx, opt, out.Unit)
	cost := ratOf(text)
	if err != nil || cost == nil || cost.Cmp(value) < 0 {
		return err
	}
	out.PartsBy = "cost"
	out.Parts = []Term{{Name: "costs of the same keys and hours", Value: text, Unit: out.Unit,
		Leads: []Lead{{"down to bill lines", subjectOf(costs.Name, opt)}}}}
	if left := new(big.Rat).Sub(value, cost); left.Sign() != 0 {
		out.Parts = append(out.Parts, Term{Name: rest, Value: new(exactly(left)), Unit: out.Unit})
	}
	return nil
}

// exactly prints all digits of a difference of decimals.
func exactly(r *big.Rat) string {
	digits, _ := r.FloatPrec()
	return r.FloatString(digits)
}

// monthHours are the hours of a month in rates per month: metrics/advice, which imports this package.
const monthHours = 730

// perMonth explains a rate per month.
func (o *origins) perMonth(row []Value, out *Origin, of, over string) error {
	out.Formula = fmt.Sprintf("%s × %d ÷ %s", Lower(of), monthHours, Lower(over))
	out.Terms = append([]Term{{Name: Label(of), Value: o.cell(row, of), Unit: out.Unit,
		Leads: []Lead{{Label(of), o.subject(of, row)}}},
		{Name: Label(over), Value: o.cell(row, over), Unit: "hours"}}, out.Terms...)
	hours := ratOf(o.cell(row, over))
	if out.Value == nil || hours == nil || hours.Sign() == 0 {
		return nil
	}
	share := new(big.Rat).Quo(big.NewRat(monthHours, 1), hours)
	out.check(o.amount(row, of).MulRat(share).Rat())
	return nil
}

// recommendationOrigin explains a recommendation: its evidence, and its saving by the findings that it follows from or
// as what remains of the cost of its subject.
func recommendationOrigin(ctx context.Context, o *origins, row []Value, out *Origin) (bool, error) {
	if o.q.Regrouped() {
		return false, nil
	}
	out.Of = o.text(row, "kind") + ", " + o.text(row, "subject")
	out.Sentence = o.text(row, "proposal")
	out.Terms = append(out.Terms, Term{Name: "evidence", Note: o.text(row, "evidence")})
	for _, name := range []string{"lifetime_hours", "observed_hours"} {
		out.Terms = append(out.Terms, Term{Name: Label(name), Value: o.cell(row, name), Unit: "hours"})
	}
	findings, err := o.findings(ctx, row, out)
	if err != nil {
		return false, err
	}
	switch o.column.Name {
	case "saving_per_month":
		return true, o.perMonth(row, out, "saving", "lifetime_hours")
	case "effective_cost", "saving":
		cost, value := o.amount(row, "effective_cost"), o.amount(row, o.column.Name)
		out.Formula = "cost of its subject − what it would have cost with this advice"
		if o.column.Name == "effective_cost" {
			out.Formula = "Σ effective cost of its subject in the window"
		}
		switch {
		case out.Value == nil:
		case sumOf(findings).Cmp(value.Rat()) == 0 && len(findings) > 0:
			out.Formula, out.Parts, out.PartsBy = "Σ cost of the findings that it follows from", findings, "finding"
		case o.column.Name == "saving":
			out.Parts, out.PartsBy = []Term{
				{Name: Label("effective_cost"), Value: new(cost.String()), Unit: out.Unit,
					Leads: []Lead{{Label("effective_cost"), o.subject("effective_cost", row)}}},
				{Name: "cost that would remain", Value: new(value.Sub(cost).String()), Unit: out.Unit},
			}, "cost"
		default:
			return true, o.partOfCosts(ctx, row, out, "cost of the same keys and hours that is not its subject's")
		}
		out.Leads, err = o.leads(ctx, row, out)
		return true, err
	}
	out.Formula = o.column.Doc
	return true, nil
}

func sumOf(terms []Term) *big.Rat {
	sum := new(big.Rat)
	for i := range terms {
		if r := terms[i].rat(); r != nil {
			sum.Add(sum, r)
		}
	}
	return sum
}

// findings are the findings that a recommendation follows from, in its window.
func (o *origins) findings(ctx context.Context, row []Value, out *Origin) ([]Term, error) {
	q, err := Parse(waste.Name, Options{From: o.text(row, "window_start"), To: o.text(row, "window_end"),
		Filter: IsValue("recommendation_id", Value{Valid: true, Text: o.text(row, "recommendation_id")}, ID)})
	if err != nil {
		return nil, err
	}
	a, err := ReadAnswer(ctx, o.from, q)
	if err != nil {
		return nil, err
	}
	var list []Term
	for _, row := range a.Rows {
		text := func(name string) string {
			if t := textOf(a, row, name); t != nil {
				return *t
			}
			return ""
		}
		if text("currency") != out.Unit && out.Unit != "" && text("currency") != "" {
			continue
		}
		list = append(list, Term{
			Name: text("label") + " from " + text("from"), Value: textOf(a, row, "effective_cost"), Unit: out.Unit,
			Note: text("evidence"), Leads: []Lead{{text("label"), FigureSubject(waste.Name, "effective_cost", Options{},
				IsValue("finding_id", Value{Valid: true, Text: text("finding_id")}, ID))}}})
	}
	return list, nil
}
