package budgets

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"gpuledger/ingest/records"
	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Columns of a file; Required are those that every file has.
var (
	Columns  = []string{"name", "key", "value", "period", "start", "amount", "unit", "currency", "parent"}
	Required = []string{"name", "key", "period", "amount", "unit"}
)

// Detect reports whether the start of a file is the header of a list of budgets.
func Detect(head []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n"), []byte("\n"))
	return check(strings.Split(strings.TrimRight(string(line), "\r"), ",")) == ""
}

// check describes the fault of the column names; empty: none.
func check(names []string) string {
	var have []string
	for _, name := range names {
		name = table.Squash(strings.Trim(strings.TrimSpace(name), `"`))
		if !slices.Contains(Columns, name) {
			return fmt.Sprintf("%q is not a column of budgets; they are %s", name, strings.Join(Columns, ", "))
		}
		have = append(have, name)
	}
	for _, name := range Required {
		if !slices.Contains(have, name) {
			return fmt.Sprintf("the column %s is missing; a budget has %s", name, strings.Join(Required, ", "))
		}
	}
	return ""
}

// Parse reads one file. A *ledger.FileError refuses it.
func Parse(ctx context.Context, in io.Reader, file string) (found []ledger.Budget, read ledger.Reading, err error) {
	first := map[string]int64{} // line of each name
	rd := records.Reader{
		Lists: []string{"budgets"},
		Header: func(names []string) error {
			if wrong := check(names); wrong != "" {
				return &ledger.FileError{Rejection: ledger.Rejection{
					File: file, Line: 1, Reason: "unexpected columns", Detail: wrong,
				}}
			}
			return nil
		},
		Reject: func(r ledger.Rejection) {
			read.Rows++
			read.Reject(r)
		},
	}
	err = rd.Each(ctx, in, file, func(r *records.Record) error {
		read.Rows++
		b, bad := budget(r)
		b.File, b.Line = file, r.Line
		if line, twice := first[b.Name]; bad == nil && twice {
			bad = &fault{"name", "named twice", fmt.Sprintf("%q is the budget of line %d, too; a name has one budget",
				records.Clip(b.Name), line)}
		}
		if bad != nil {
			read.Reject(ledger.Rejection{File: file, Line: r.Line, Column: bad.column, Reason: bad.reason, Detail: bad.detail})
			return nil
		}
		first[b.Name] = r.Line
		read.Accepted++
		found = append(found, b)
		return nil
	})
	return found, read, err
}

// fault is the fault of one field.
type fault struct{ column, reason, detail string }

// budget reads a row.
func budget(r *records.Record) (ledger.Budget, *fault) {
	text := func(column string) string { return records.Clean(r.Text(column)) }
	b := ledger.Budget{Name: text("name"), Key: text("key"), Value: text("value"), Parent: text("parent"),
		Period: ledger.BudgetPeriod(strings.ToLower(text("period"))), Unit: ledger.BudgetUnit(strings.ToLower(text("unit"))),
		Currency: text("currency")}
	for _, read := range []func(*ledger.Budget, func(string) string) *fault{key, start, amount} {
		if bad := read(&b, text); bad != nil {
			return b, bad
		}
	}
	if b.Parent == b.Name {
		return b, &fault{"parent", "its own parent", "a budget is not a part of itself"}
	}
	return b, nil
}

// key checks name, key and value.
func key(b *ledger.Budget, _ func(string) string) *fault {
	switch {
	case b.Name == "":
		return &fault{"name", "missing value", "its name identifies a budget"}
	case b.Key == ledger.BudgetAll && b.Value != "":
		return &fault{"value", "unexpected value", fmt.Sprintf("a budget for all has no value, here %q",
			records.Clip(b.Value))}
	case b.Key == ledger.BudgetAll:
		return nil
	case !slices.Contains(ledger.BudgetKeys, b.Key):
		return &fault{"key", "unknown key", fmt.Sprintf("%q is not a key of budgets; they are all, %s",
			records.Clip(b.Key), strings.Join(ledger.BudgetKeys, ", "))}
	case b.Value == "":
		return &fault{"value", "missing value", "name the " + b.Key + " that the budget is for"}
	}
	return nil
}

// start reads period and start.
func start(b *ledger.Budget, text func(string) string) *fault {
	names := make([]string, len(ledger.BudgetPeriods))
	for i, p := range ledger.BudgetPeriods {
		names[i] = string(p.Name)
	}
	if !slices.Contains(names, string(b.Period)) {
		return &fault{"period", "unknown period", fmt.Sprintf("%q is not one of %s", records.Clip(string(b.Period)),
			strings.Join(names, ", "))}
	}
	said := text("start")
	if said == "" {
		if b.Period == ledger.BudgetLife {
			return nil
		}
		return &fault{"start", "missing value", "name the first day of the " + string(b.Period) + ", such as 2026-11-01"}
	}
	day, err := period.ParseDay(said)
	if err != nil {
		return &fault{"start", "not a day", fmt.Sprintf("%q is not a day such as 2026-11-01", records.Clip(said))}
	}
	if b.Period != ledger.BudgetLife && !ledger.FirstOfMonth(day) {
		return &fault{"start", "not a first day", said + " is not the first day of a month"}
	}
	b.Start = day
	return nil
}

// amount reads amount, unit and currency.
func amount(b *ledger.Budget, text func(string) string) *fault {
	said := text("amount")
	n, err := money.Parse(said)
	if err != nil || strings.ContainsAny(said, "eE+") || n.Sign() <= 0 {
		return &fault{"amount", "not an amount", fmt.Sprintf("%q is not a plain decimal above 0, such as 12500.50",
			records.Clip(said))}
	}
	b.Amount = n
	if !slices.Contains(ledger.BudgetUnits, b.Unit) {
		return &fault{"unit", "unknown unit", fmt.Sprintf("%q is not one of money, gpu_hours, tokens",
			records.Clip(string(b.Unit)))}
	}
	switch {
	case b.Unit == ledger.BudgetMoney && !ledger.CurrencyCode(b.Currency):
		return &fault{"currency", "missing currency", fmt.Sprintf("%q is not a currency code of ISO 4217 such as USD, which "+
			"a budget in money needs", records.Clip(b.Currency))}
	case b.Unit != ledger.BudgetMoney && b.Currency != "":
		return &fault{"currency", "unexpected currency", "a budget in " + string(b.Unit) + " has no currency"}
	}
	return nil
}
