package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/fleetsim"
	"gpuledger/metrics"
)

// TestUnknownAmountsAreNotZero checks all datasets and pages of a fleet with telemetry alone: without any price, with
// prices for half of its machine types, and with all. No unknown amount is shown as 0, in rows, sums, savings or on a
// page.
func TestUnknownAmountsAreNotZero(t *testing.T) {
	cfg := fleetsim.Preset(fleetsim.Small)
	cfg.Unbilled = true // and no price book
	dir, err := simulate("unpriced", cfg)
	if err != nil {
		t.Fatal(err)
	}
	db := freshDatabase(t)
	document := filepath.Join(t.TempDir(), "policy.yaml")
	if err := os.WriteFile(document, []byte("version: unknown-1\nsettings: {unpriced: unknown}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	must(t, db, "policy", "apply", document)
	must(t, db, "import", "auto", dir)
	must(t, db, "allocate")
	address, _ := serveLedger(t, db)
	s := &served{db: db, url: address}

	types := s.table(t, "costs", "group_by=instance_type")
	var names []string
	for _, row := range types.rows {
		if name := row[types.column(t, "instance_type")]; name != null && name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if len(names) < 4 {
		t.Fatalf("%v are too few machine types", names)
	}
	s.moneyIsKnown(t, names, nil)
	s.noZeroes(t, zeroMoney)
	zeroes := s.zeroes(t)
	for _, priced := range [][]string{names[:len(names)/2], names} {
		book := "rates:\n"
		for i, name := range priced {
			book += fmt.Sprintf("- {instance_type: %q, price_class: on_demand, currency: USD, hourly: \"%d.25\", "+
				"valid_from: 2020-01-01}\n- {instance_type: %q, price_class: spot, currency: USD, hourly: \"%d.125\", "+
				"valid_from: 2020-01-01}\n"+
				"- {instance_type: %q, price_class: reserved, currency: USD, hourly: \"%d.2\", valid_from: 2020-01-01}\n",
				name, i+1, name, i+1, name, i+1)
		}
		path := filepath.Join(t.TempDir(), fmt.Sprintf("prices-%d.yaml", len(priced)))
		if err := os.WriteFile(path, []byte(book), 0o600); err != nil {
			t.Fatal(err)
		}
		must(t, db, "import", "price-book", path)
		must(t, db, "allocate")
		s.moneyIsKnown(t, names, priced)
		s.noZeroes(t, bareZero)
		s.trueZeroes(t, zeroes)
	}
}

// moneyIsKnown reads the cost of machine types: those with a price have an amount, and those without have none, not 0.
func (s *served) moneyIsKnown(t *testing.T, types, priced []string) {
	t.Helper()
	a := s.table(t, "costs", "group_by=instance_type,cause")
	cost, name, hours := a.column(t, "effective_cost"), a.column(t, "instance_type"), a.column(t, "gpu_hours")
	for _, row := range a.rows {
		known := row[cost] != null && row[cost] != ""
		if slices.Contains(types, row[name]) && row[hours] != "0" && known != slices.Contains(priced, row[name]) {
			t.Errorf("with prices of %v: %v", priced, row)
		}
	}
}

// zeroes are the amounts of all datasets that are 0 although no price is known: by dataset and row, the columns. Any
// other amount is an error.
func (s *served) zeroes(t *testing.T) map[string]map[string][]string {
	t.Helper()
	out := map[string]map[string][]string{}
	for _, d := range metrics.Datasets {
		a := s.table(t, d.Name, "")
		rows := map[string][]string{}
		for _, c := range amounts(d, a) {
			at := a.column(t, c)
			for _, row := range a.rows {
				switch v := row[at]; {
				case v == null || v == "":
				case v == "0":
					key := rowKey(t, d, a, row)
					rows[key] = append(rows[key], c)
				case c != "budget" && d.Name != "limit_labels": // they come from labels
					t.Errorf("%s.%s is %s in a fleet without a price", d.Name, c, v)
				}
			}
		}
		out[d.Name] = rows
	}
	return out
}

// trueZeroes checks with prices the amounts that were 0 without: they must still be 0.
func (s *served) trueZeroes(t *testing.T, zeroes map[string]map[string][]string) {
	t.Helper()
	looked, wrong := 0, map[string]int{}
	for _, d := range metrics.Datasets {
		a := s.table(t, d.Name, "")
		for _, row := range a.rows {
			for _, c := range zeroes[d.Name][rowKey(t, d, a, row)] {
				looked++
				if v := row[a.column(t, c)]; v != "0" && v != null && v != "" {
					if wrong[d.Name+"."+c]++; wrong[d.Name+"."+c] == 1 {
						t.Errorf("%s.%s was 0 without a price and is %s with one: %s", d.Name, c, v, rowKey(t, d, a, row))
					}
				}
			}
		}
	}
	if looked < 100 {
		t.Errorf("only %d amounts were looked at", looked)
	}
	t.Logf("%d amounts that are 0 without prices, wrong are %v", looked, wrong)
}

// amounts are the columns of a dataset that are money.
func amounts(d *metrics.Dataset, a *answer) []string {
	var out []string
	for _, c := range d.Columns {
		if (c.Kind == metrics.Money || strings.HasPrefix(c.Unit, "currency")) && slices.Contains(a.columns, c.Name) {
			out = append(out, c.Name)
		}
	}
	return out
}

// rowKey distinguishes a row from the others of its dataset, except by the currency, which comes with the price.
func rowKey(t *testing.T, d *metrics.Dataset, a *answer, row []string) string {
	t.Helper()
	var parts []string
	key := d.RowKey
	if d.Name == "recommendations" { // its id contains the currency
		key = []string{"kind", "subject", "gpu_model"}
	}
	for _, c := range key {
		if c != "currency" {
			parts = append(parts, row[a.column(t, c)])
		}
	}
	return strings.Join(parts, "|")
}

// bareZero is a sentence with an amount of 0 in no currency; zeroMoney also matches an amount of 0 in a currency. A
// cell may show a 0 without one: trueZeroes checks amounts that are 0 whatever the price.
var (
	bareZero  = regexp.MustCompile(`<h1[^>]*>[^<]*[ >]0\.00\b|</h1>\s*<p[^>]*>[^<]*[ >]0\.00\b`)
	zeroMoney = regexp.MustCompile(`[$€£]0(\.0+)?\b|data-exact="0"[^>]*data-unit="currency"|` + bareZero.String())
)

// noZeroes opens every page: none shows such an amount.
func (s *served) noZeroes(t *testing.T, amount *regexp.Regexp) {
	t.Helper()
	seen := map[string]bool{}
	for _, m := range pagePath.FindAllStringSubmatch(s.get(t, "/"), -1) {
		if seen[m[1]] {
			continue
		}
		seen[m[1]] = true
		body := s.get(t, m[1])
		for _, at := range amount.FindAllStringIndex(body, 3) {
			t.Errorf("%s shows an amount of 0: …%s…", m[1], body[max(0, at[0]-200):min(len(body), at[1]+60)])
		}
	}
	if len(seen) < 15 {
		t.Errorf("%d pages", len(seen))
	}
}
