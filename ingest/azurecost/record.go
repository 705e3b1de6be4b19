package azurecost

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// row is a record with known columns.
type row struct {
	bill.Fields[column]
	b *binding
}

func (b *binding) row(r table.Row) row {
	return row{bill.Fields[column]{Row: r, Columns: &b.columns}, b}
}

// isNull reports whether a text is one of Azure's words for "none".
func isNull(s string) bool {
	switch s {
	case "", "Unassigned", "Not applicable", "Not Applicable", "N/A", "00000000-0000-0000-0000-000000000000", "null",
		"NULL", "{}", "[]":
		return true
	}
	return false
}

// date is the day of c; ok is false if the column is absent or null.
func (r row) date(c column) (day period.Second, ok bool, bad *table.CellError) {
	t := r.TextOf(c)
	if t == "" {
		return 0, false, nil
	}
	day, err := r.b.date(t)
	if err != nil {
		return 0, false, &table.CellError{
			Column: c.Name(), Reason: "not a date", Detail: "\"" + table.Clip(t) + "\": " + err.Error(),
		}
	}
	return day, true, nil
}

// month is the billing period of the row.
func (r row) month() (period.Month, *table.CellError) {
	for _, c := range []column{colPeriodStart, colPeriodEnd, colDate} {
		at, ok, bad := r.date(c)
		if bad != nil {
			return "", bad
		}
		if ok {
			return bill.Month(at), nil
		}
	}
	return "", &table.CellError{
		Column: colDate.Name(), Reason: "missing value", Detail: "every row needs a date or a billing period",
	}
}

// scope is the owner of the row's bill, "" if unknown.
func (r row) scope() string {
	c := r.b.s.scope()
	if c == colSubscription {
		return r.account()
	}
	t := r.TextOf(c)
	return t[strings.LastIndexByte(t, '/')+1:]
}

// account is the subscription, "" for rows of the billing account itself.
func (r row) account() string {
	t := r.TextOf(colSubscription)
	if t == "" {
		return ""
	}
	return strings.ToLower(t[strings.LastIndexByte(t, '/')+1:])
}

// resource is the resource id, verbatim. Some files have ids in the name column.
func (r row) resource() string {
	for _, pos := range r.b.s.at[colResource] {
		if t := r.Raw(pos); !isNull(t) && (r.b.s.names[pos] != "instancename" || strings.Contains(t, "/")) {
			return t
		}
	}
	return ""
}

// currency is the billing currency, "" if the row has none.
func (r row) currency() string {
	if t := r.TextOf(colCurrency); t != "" {
		return upper(t)
	}
	return ""
}

func upper(s string) string {
	if ledger.CurrencyCode(s) {
		return s
	}
	return strings.ToUpper(s)
}

// product multiplies exactly; ok is false beyond a hundred decimals.
func product(a, b money.Amount) (money.Amount, bool) {
	if units, ok := shortProduct(a, b); ok {
		return money.FromUnits(units), true
	}
	coefA, scaleA := a.Scaled()
	coefB, scaleB := b.Scaled()
	out, err := money.Parse(new(big.Int).Mul(coefA, coefB).String() + "E-" + strconv.Itoa(scaleA+scaleB))
	return out, err == nil
}

// shortProduct is the product if it and its factors are whole ledger units.
func shortProduct(a, b money.Amount) (units int64, ok bool) {
	x, okX := a.Units()
	y, okY := b.Units()
	if !okX || !okY || x == math.MinInt64 || y == math.MinInt64 {
		return 0, false
	}
	high, low := bits.Mul64(magnitude(x), magnitude(y))
	if high >= money.UnitsPerOne {
		return 0, false
	}
	whole, rest := bits.Div64(high, low, money.UnitsPerOne)
	if rest != 0 || whole > math.MaxInt64 {
		return 0, false
	}
	if (x < 0) != (y < 0) {
		return -int64(whole), true
	}
	return int64(whole), true
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return uint64(-n)
	}
	return uint64(n)
}
