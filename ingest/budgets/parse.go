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
		if line, twice := first[b.Name]; twice {
			bad.add("name", "named twice", "%q is the budget of line %d, too; a name has one budget", records.Clip(b.Name), line)
		}
		if len(bad) > 0 {
			bad[0].Also = bad[1:]
			return &bad[0]
		}
		first[b.Name] = r.Line
		found = append(found, b)
		return nil
	})
	return found, read, err
}

// faults are those of a row.
type faults []records.Fault

func (f *faults) add(column, reason, detail string, args ...any) {
	*f = append(*f, records.Fault{Column: column, Reason: reason, Detail: fmt.Sprintf(detail, args...)})
}

// budget reads a row and lists all of its faults. A field that can only be judged by another, such as the currency by
// the unit, is not judged if that one is wrong.
func budget(r *records.Record) (ledger.Budget, faults) {
	text := func(column string) string { return records.Clean(r.Text(column)) }
	b := ledger.Budget{Name: text("name"), Key: text("key"), Value: text("value"), Parent: text("parent"),
		Period: ledger.BudgetPeriod(strings.ToLower(text("period"))), Unit: ledger.BudgetUnit(strings.ToLower(text("unit"))),
		Currency: text("currency"), Reason: text("reason")}
	var bad faults
	bad.name(&b)
	bad.key(&b)
	bad.period(&b)
	bad.start(&b, text("start"))
	bad.amount(&b, text("amount"))
	bad.unit(&b)
	if b.Name != "" && b.Parent == b.Name {
		bad.add("parent", "its own parent", "a budget is not a part of itself")
	}
	return b, bad
}

func (f *faults) name(b *ledger.Budget) {
	switch {
	case b.Name == "":
		f.add("name", "missing value", "its name identifies a budget")
	case strings.HasSuffix(b.Name, ledger.LabelledBudget):
		f.add("name", "reserved name", "%q ends as names of budgets from labels do", records.Clip(b.Name))
	}
}

// key checks key and value.
func (f *faults) key(b *ledger.Budget) {
	switch {
	case b.Key == ledger.BudgetAll && b.Value != "":
		f.add("value", "unexpected value", "a budget for all has no value, here %q", records.Clip(b.Value))
	case b.Key == ledger.BudgetAll:
	case !slices.Contains(ledger.BudgetKeys, b.Key):
		f.add("key", "unknown key", "%q is not a key of budgets; they are all, %s", records.Clip(b.Key),
			strings.Join(ledger.BudgetKeys, ", "))
	case b.Value == "":
		f.add("value", "missing value", "name the %s that the budget is for", b.Key)
	}
}

func (f *faults) period(b *ledger.Budget) {
	if !knownPeriod(b.Period) {
		names := make([]string, len(ledger.BudgetPeriods))
		for i, p := range ledger.BudgetPeriods {
			names[i] = string(p.Name)
		}
		f.add("period", "unknown period", "%q is not one of %s", records.Clip(string(b.Period)), strings.Join(names, ", "))
	}
}

func knownPeriod(name ledger.BudgetPeriod) bool {
	for _, p := range ledger.BudgetPeriods {
		if p.Name == name {
			return true
		}
	}
	return false
}

// start reads the start of the period.
func (f *faults) start(b *ledger.Budget, said string) {
	if said == "" {
		if knownPeriod(b.Period) && b.Period != ledger.BudgetLife {
			f.add("start", "missing value", "name the first day of the %s, such as 2026-11-01", b.Period)
		}
		return
	}
	day, err := period.ParseDay(said)
	switch {
	case err != nil:
		f.add("start", "not a day", "%q is not a day such as 2026-11-01", records.Clip(said))
	case !day.Believable():
		f.add("start", "not a day", "%s lies outside the years 2000 to 2099", said)
	default:
		b.Start = day
	}
}

func (f *faults) amount(b *ledger.Budget, said string) {
	n, err := money.Parse(said)
	if err != nil || strings.ContainsAny(said, "eE+") || n.Sign() <= 0 {
		f.add("amount", "not an amount", "%q is not a plain decimal above 0, such as 12500.50", records.Clip(said))
		return
	}
	b.Amount = n
}

// unit checks unit and currency.
func (f *faults) unit(b *ledger.Budget) {
	switch {
	case !slices.Contains(ledger.BudgetUnits, b.Unit):
		f.add("unit", "unknown unit", "%q is not one of money, gpu_hours, tokens", records.Clip(string(b.Unit)))
	case b.Unit == ledger.BudgetMoney && !ledger.CurrencyCode(b.Currency):
		f.add("currency", "missing currency", "%q is not a currency code of ISO 4217 such as USD, which a budget in money "+
			"needs", records.Clip(b.Currency))
	case b.Unit != ledger.BudgetMoney && b.Currency != "":
		f.add("currency", "unexpected currency", "a budget in %s has no currency", b.Unit)
	}
}
