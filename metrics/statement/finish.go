package statement

import (
	"maps"
	"slices"
	"strings"

	"gpuledger/internal/money"
	"gpuledger/metrics/variance"
)

// finish turns the collected rows of an owner into the statement.
func (d *draft) finish(
	q Question, closings map[string]Account, budgets []budgetVersion, covers []string,
) (*Statement, error) {
	s := &Statement{
		Owner: q.Owner(), BillingPeriod: q.Month, Sharing: q.sharing(), Key: q.Key.Name, Value: q.Value,
		Accounts: d.closed(closings), Statements: []Charge{}, Budgets: []Budget{}, Notes: []string{},
		Covers: covers,
	}
	s.State = stateOf(s.Accounts)
	for k, line := range d.lines {
		c := d.charges[k.currency]
		c.Lines = append(c.Lines, *line)
	}
	for _, currency := range slices.Sorted(maps.Keys(d.charges)) {
		c := d.charges[currency]
		c.Total = money.Sum(c.Opening, c.Direct, c.SharedIn, c.SharedOut, c.Adjustments)
		slices.SortFunc(c.Lines, order)
		if d.before && !(s.State == Closed && d.unsettled) {
			var err error
			if c.Bridge, err = bridge(d.months[currency], c.Total); err != nil {
				return nil, err
			}
		}
		s.Statements = append(s.Statements, *c)
	}
	for _, b := range budgets {
		s.compare(b)
	}
	s.note(d)
	return s, nil
}

// closed are the accounts of the owner's bills and how the month stands with each.
func (d *draft) closed(closings map[string]Account) []Account {
	out := make([]Account, 0, len(d.accounts))
	for account, provider := range d.accounts {
		a, ok := closings[account]
		if !ok {
			a.State = Open
		}
		a.Provider, a.BillingAccount = provider, account
		out = append(out, a)
	}
	slices.SortFunc(out, func(a, b Account) int {
		return strings.Compare(a.Provider+"\x00"+a.BillingAccount, b.Provider+"\x00"+b.BillingAccount)
	})
	return out
}

func stateOf(accounts []Account) State {
	open := func(a Account) bool { return a.State == Open }
	switch {
	case !slices.ContainsFunc(accounts, open):
		return Closed
	case slices.ContainsFunc(accounts, func(a Account) bool { return !open(a) }):
		return Partly
	}
	return Open
}

// bridge explains total by what the owner had in the month before.
func bridge(months *[2]variance.Period, total money.Amount) (*Bridge, error) {
	before := months[0].Cost()
	parts, err := variance.Split(months[0], months[1]).Round(total.Sub(before))
	if err != nil {
		return nil, err
	}
	return &Bridge{
		Before: before, Volume: parts[variance.Volume], Efficiency: parts[variance.Efficiency],
		Mix: parts[variance.Mix], Price: parts[variance.Price], WithoutHours: parts[variance.WithoutHours],
	}, nil
}

// note adds what a reader has to know before relying on the figures.
func (s *Statement) note(d *draft) {
	say := func(text string) { s.Notes = append(s.Notes, text) }
	if text := s.Partial(); text != "" {
		say(text)
	}
	if s.State != Closed {
		var open []string
		for _, a := range s.Accounts {
			if a.State == Open {
				open = append(open, a.BillingAccount)
			}
		}
		say("Not final: bills of " + strings.Join(open, ", ") + " may still change this statement.")
		say("Cost that no bill has priced yet is not included.")
	}
	if d.unknown > 0 {
		say("Some lines have no known cost; they count as 0.")
	}
	for i := range s.Statements {
		c := &s.Statements[i]
		if !c.Adjustments.IsZero() {
			say("Adjustments in " + c.Currency + " correct earlier months, which are closed.")
		}
	}
	switch {
	case !d.before:
		say("Nothing was charged in the month before.")
	case s.State == Closed && d.unsettled:
		say("No comparison with the month before: it is not closed.")
	}
	if len(s.Budgets) > 0 {
		say("Budgets are compared with the cost before sharing that was billed in this month.")
	}
}
