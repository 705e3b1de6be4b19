package budgets

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"gpuledger/ingest/records"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

var format = records.Table{
	Rows:     "budgets",
	Columns:  []string{"name", "key", "value", "period", "start", "amount", "unit", "currency", "parent", "reason"},
	Required: []string{"name", "key", "period", "amount", "unit"},
}

// Columns lists the columns of a row.
func Columns() []string { return slices.Clone(format.Columns) }

// Detect reports whether the start of a file is the header of a list of budgets.
func Detect(head []byte) bool { return format.Detect(head) }

// Parse reads one file. A *ledger.FileError refuses it.
func Parse(ctx context.Context, in io.Reader, file string) (found []ledger.Budget, read ledger.Reading, err error) {
	first := map[string]int64{} // line of each name
	err = format.Each(ctx, in, file, &read, func(r *records.Record) *records.Fault {
		b, bad := budget(r)
		b.File, b.Line = file, r.Line
		if bad != nil {
			return bad
		}
		if line, twice := first[b.Name]; twice {
			return &records.Fault{Column: "name", Reason: "named twice", Detail: fmt.Sprintf(
				"%q is the budget of line %d, too; a name has one budget", records.Clip(b.Name), line)}
		}
		first[b.Name] = r.Line
		found = append(found, b)
		return nil
	})
	return found, read, err
}

// fault is the fault of one field.
func fault(column, reason, detail string) *records.Fault {
	return &records.Fault{Column: column, Reason: reason, Detail: detail}
}

// budget reads a row.
func budget(r *records.Record) (ledger.Budget, *records.Fault) {
	text := func(column string) string { return records.Clean(r.Text(column)) }
	b := ledger.Budget{Name: text("name"), Key: text("key"), Value: text("value"), Parent: text("parent"),
		Period: ledger.BudgetPeriod(strings.ToLower(text("period"))), Unit: ledger.BudgetUnit(strings.ToLower(text("unit"))),
		Currency: text("currency"), Reason: text("reason")}
	for _, read := range []func(*ledger.Budget, func(string) string) *records.Fault{key, start, amount} {
		if bad := read(&b, text); bad != nil {
			return b, bad
		}
	}
	if b.Parent == b.Name {
		return b, fault("parent", "its own parent", "a budget is not a part of itself")
	}
	return b, nil
}

// key checks name, key and value.
func key(b *ledger.Budget, _ func(string) string) *records.Fault {
	switch {
	case b.Name == "":
		return fault("name", "missing value", "its name identifies a budget")
	case strings.HasSuffix(b.Name, ledger.LabelledBudget):
		return fault("name", "reserved name", fmt.Sprintf("%q ends as names of budgets from labels do",
			records.Clip(b.Name)))
	case b.Key == ledger.BudgetAll && b.Value != "":
		return fault("value", "unexpected value", fmt.Sprintf("a budget for all has no value, here %q",
			records.Clip(b.Value)))
	case b.Key == ledger.BudgetAll:
		return nil
	case !slices.Contains(ledger.BudgetKeys, b.Key):
		return fault("key", "unknown key", fmt.Sprintf("%q is not a key of budgets; they are all, %s",
			records.Clip(b.Key), strings.Join(ledger.BudgetKeys, ", ")))
	case b.Value == "":
		return fault("value", "missing value", "name the "+b.Key+" that the budget is for")
	}
	return nil
}

// start reads period and start.
func start(b *ledger.Budget, text func(string) string) *records.Fault {
	names := make([]string, len(ledger.BudgetPeriods))
	for i, p := range ledger.BudgetPeriods {
		names[i] = string(p.Name)
	}
	if !slices.Contains(names, string(b.Period)) {
		return fault("period", "unknown period", fmt.Sprintf("%q is not one of %s", records.Clip(string(b.Period)),
			strings.Join(names, ", ")))
	}
	said := text("start")
	if said == "" {
		if b.Period == ledger.BudgetLife {
			return nil
		}
		return fault("start", "missing value", "name the first day of the "+string(b.Period)+", such as 2026-11-01")
	}
	day, err := period.ParseDay(said)
	if err != nil {
		return fault("start", "not a day", fmt.Sprintf("%q is not a day such as 2026-11-01", records.Clip(said)))
	}
	if !day.Believable() {
		return fault("start", "not a day", said+" lies outside the years 2000 to 2099")
	}
	b.Start = day
	return nil
}

// amount reads amount, unit and currency.
func amount(b *ledger.Budget, text func(string) string) *records.Fault {
	said := text("amount")
	n, err := money.Parse(said)
	if err != nil || strings.ContainsAny(said, "eE+") || n.Sign() <= 0 {
		return fault("amount", "not an amount", fmt.Sprintf("%q is not a plain decimal above 0, such as 12500.50",
			records.Clip(said)))
	}
	b.Amount = n
	if !slices.Contains(ledger.BudgetUnits, b.Unit) {
		return fault("unit", "unknown unit", fmt.Sprintf("%q is not one of money, gpu_hours, tokens",
			records.Clip(string(b.Unit))))
	}
	switch {
	case b.Unit == ledger.BudgetMoney && !ledger.CurrencyCode(b.Currency):
		return fault("currency", "missing currency", fmt.Sprintf("%q is not a currency code of ISO 4217 such as USD, which "+
			"a budget in money needs", records.Clip(b.Currency)))
	case b.Unit != ledger.BudgetMoney && b.Currency != "":
		return fault("currency", "unexpected currency", "a budget in "+string(b.Unit)+" has no currency")
	}
	return nil
}
