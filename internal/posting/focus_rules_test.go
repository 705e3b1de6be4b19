package posting_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/money"
	"gpuledger/metrics/focus"
)

// focusRule is a requirement of FOCUS: where all conditions hold, all requirements must.
type focusRule struct {
	text     string
	detail   bool
	when, so []focusTest
}

// focusTest is a test of one column: empty, not empty, or one of values.
type focusTest struct {
	column, is string
	values     []string
}

func (f focusTest) holds(row map[string]string) bool {
	switch f.is {
	case "-":
		return row[f.column] == ""
	case "+":
		return row[f.column] != ""
	}
	return slices.Contains(f.values, row[f.column])
}

// focusRules reads the published requirements.
func focusRules(t *testing.T) (rules []focusRule) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "metrics", "focus", "testdata", "cost_and_usage_rules.txt"))
	if err != nil {
		t.Fatal(err)
	}
	read := func(list string, r *focusRule) (tests []focusTest) {
		for part := range strings.SplitSeq(list, ", ") {
			if part == "detail" {
				r.detail = true
				continue
			}
			column, is, ok := strings.Cut(part, " ")
			test := focusTest{column: column, is: is}
			if values, one := strings.CutPrefix(is, "= "); one {
				test.values = strings.Split(values, "|")
			}
			if _, known := focus.CostAndUsage.Column(column); !ok || !known {
				t.Fatalf("%q is no test of a column", part)
			}
			tests = append(tests, test)
		}
		return tests
	}
	for line := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n") {
		when, so, ok := strings.Cut(line, " => ")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if !ok {
			t.Fatalf("%q is no rule", line)
		}
		r := focusRule{text: line}
		r.when, r.so = read(when, &r), read(so, &r)
		rules = append(rules, r)
	}
	return rules
}

// focusFaults are the faults of rows of CostAndUsage by the published requirements, one for each rule or column.
func focusFaults(t *testing.T, rows []map[string]string) (faults []string) {
	t.Helper()
	for _, rule := range focusRules(t) {
		met := false
		for _, row := range rows {
			if rule.detail && row["x_Aggregated"] == "true" ||
				slices.ContainsFunc(rule.when, func(f focusTest) bool { return !f.holds(row) }) {
				continue
			}
			met = true
			if i := slices.IndexFunc(rule.so, func(f focusTest) bool { return !f.holds(row) }); i >= 0 {
				faults = append(faults, rule.text+": "+rule.so[i].column+" is "+row[rule.so[i].column])
				break
			}
		}
		if !met {
			t.Log("no row meets the conditions of:", rule.text)
		}
	}
	for _, c := range focus.CostAndUsage.Columns {
		if !c.In("1.4") {
			continue
		}
		for _, row := range rows {
			if fault := focusValue(c, row[c.Name]); fault != "" {
				faults = append(faults, c.Name+": "+fault)
				break
			}
		}
	}
	return append(faults, focusPrices(rows)...)
}

// focusValue is a fault of a value by the definition of its column.
func focusValue(c focus.Column, text string) string {
	if text == "" {
		if !c.Null {
			return "has no value"
		}
		return ""
	}
	switch {
	case len(c.Values) > 0 && !slices.Contains(c.Values, text):
		return text + " is not allowed"
	case c.Type == focus.JSON && !json.Valid([]byte(text)):
		return text + " is no JSON"
	case c.Type == focus.Price && strings.HasPrefix(text, "-"):
		return text + " is below 0"
	}
	return ""
}

// focusPrices are rows whose unit price × quantity is not their cost, within 1e-6 of it.
func focusPrices(rows []map[string]string) (faults []string) {
	for _, of := range [][2]string{{"ListUnitPrice", "ListCost"}, {"ContractedUnitPrice", "ContractedCost"}} {
		for _, row := range rows {
			price, quantity, cost := row[of[0]], row["PricingQuantity"], row[of[1]]
			if price == "" || quantity == "" || row["ChargeClass"] != "" {
				continue
			}
			want := money.MustParse(price).Rat()
			want.Mul(want, money.MustParse(quantity).Rat())
			have := money.MustParse(cost).Rat()
			if off := want.Sub(want, have); off.Abs(off).Cmp(money.MustParse("0.000001").Rat()) > 0 {
				faults = append(faults, of[0]+" × PricingQuantity is not "+of[1]+" "+cost)
				break
			}
		}
	}
	return faults
}
