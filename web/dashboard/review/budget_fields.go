package review

import (
	"context"
	"encoding/json"
	"strings"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/operate"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// store saves the form as a row of a file; false if the ledger says so already.
func (f *typed) store(
	ctx context.Context, save func(ctx context.Context, document []byte, by string) (operate.Saved, error), by string,
) (stored bool, err error) {
	if err := operate.Reasoned(f.fields["reason"]); err != nil {
		return false, err
	}
	row, err := json.Marshal(f.fields)
	if err != nil {
		return false, err
	}
	saved, err := save(ctx, row, by)
	return saved.Stored > 0, err
}

// budgetAbove is the form, or the link to it; nothing for users who may not set budgets.
func (d *room) budgetAbove(ctx context.Context, c *page.Context, f *typed, list []*Budget) *views.BudgetAbove {
	may, token := d.Desk.Offers(ctx, access.Plan)
	if !may {
		return nil
	}
	above := &views.BudgetAbove{New: c.Scope.With("set", newBudget) + "#set"}
	if f == nil {
		return above
	}
	form := &views.Form{
		Title: "Set a budget", Action: c.Scope.With("set", f.of) + "#set", Token: token,
		Refused: f.refused, Said: f.said, Button: "Store the budget",
		Cancel: views.Link{Text: "Cancel", Href: c.Scope.With("set", "")}, Fields: f.inputs(c, list),
	}
	if f.of != newBudget {
		form.Title, form.Note = "Next version of "+f.fields["name"], "earlier versions stay in its history"
		form.Button, form.Hidden = "Store the next version", [][2]string{{"version", f.version}}
	}
	above.Form = form
	return above
}

// inputs are the fields of the form.
func (f *typed) inputs(c *page.Context, list []*Budget) (fields []views.FormField) {
	keys, periods, units := []string{ledger.BudgetAll}, []string{}, []string{}
	keys = append(keys, ledger.BudgetKeys...)
	for _, p := range ledger.BudgetPeriods {
		periods = append(periods, string(p.Name))
	}
	for _, u := range ledger.BudgetUnits {
		units = append(units, string(u))
	}
	var parents []string
	for _, b := range list {
		if b.Name != f.fields["name"] {
			parents = append(parents, b.Name)
		}
	}
	for _, in := range []views.FormField{
		{Name: "name", Label: "Name", Hint: "identifies the budget in all its versions", Required: true,
			Locked: f.of != newBudget},
		{Name: "key", Label: "For", Options: keyOptions(keys)},
		{Name: "value", Label: "Value", Hint: "such as the team's name; empty for everything"},
		{Name: "period", Label: "Period", Options: options(periods)},
		{Name: "start", Label: "First day", Type: "date", Hint: startHint(c)},
		{Name: "amount", Label: "Amount", Hint: "a plain decimal, such as 12500.50", Required: true, Numeric: true},
		{Name: "unit", Label: "Unit", Options: options(units)},
		{Name: "currency", Label: "Currency", Hint: "of a budget in money, such as USD"},
		{Name: "parent", Label: "Part of", Hint: "a budget in the same unit and currency; may be empty", List: parents},
		{Name: "reason", Label: "Why", Hint: "kept with the version and your name", Required: true},
	} {
		in.Value, in.Fault = f.fields[in.Name], f.faults[in.Name]
		fields = append(fields, in)
	}
	return fields
}

// startHint says which days a period can start on.
func startHint(c *page.Context) string {
	calendar := c.Extent.Fiscal
	if !calendar.Set() || c.Extent.Empty() {
		return "of a month; a life needs none"
	}
	month := calendar.Around(1, c.Extent.Data-1)
	return "of a month or of a fiscal period, such as the fiscal month from " + format.Day(month.From) +
		"; a life needs none"
}

func keyOptions(keys []string) []views.Option {
	list := options(keys)
	list[0].Text = "everything" // BudgetAll
	return list
}

// options are choices by the words of files.
func options(values []string) (list []views.Option) {
	for _, v := range values {
		list = append(list, views.Option{Value: v, Text: strings.ReplaceAll(v, "_", " ")})
	}
	return list
}
