package ingest

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// day is a FOCUS file of one day in November 2026: a line an hour for some hours. Rows
// have numbers that begin with id; without one the file has no such column.
func day(provider string, day, hours int, id, cost string) string {
	header, number := "", ""
	if id != "" {
		header, number = ",oci_ReferenceNumber", ","+id
	}
	out := "BillingAccountId,SubAccountId,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,BilledCost,EffectiveCost," +
		"BillingCurrency,ChargeCategory,ProviderName,ServiceName,ServiceCategory,ChargeDescription" + header + "\n"
	for h := range hours {
		if id != "" {
			number = fmt.Sprintf(",%s-%d-%d", id, day, h)
		}
		out += fmt.Sprintf("b,s,2026-11-01T00:00Z,2026-12-01T00:00Z,2026-11-%02dT%02d:00Z,2026-11-%02dT%02d:00Z,%s,%s,USD,Usage,%s,x,Compute,d%s\n",
			day, h, day, h+1, cost, cost, provider, number)
	}
	return out
}

// rows are the rows of files without their headers, but for that of the first.
func joined(files ...string) string {
	out := files[0]
	for _, f := range files[1:] {
		_, rows, _ := strings.Cut(f, "\n")
		out += rows
	}
	return out
}

// The result of a FOCUS bill of each kind of provider, whatever the order of its files.
func TestFOCUSDeliveriesAddOrReplaceByTheirNature(t *testing.T) {
	const all = "."
	type step struct {
		files map[string]string // written before, "" = removed
		take  string            // of the folder
		at    *period.Second
		total string // of what counts then
		words string // of a refusal
	}
	one, two := day("Oracle", 2, 3, "r", "8"), day("Oracle", 3, 3, "r", "8")
	bare := func(d int, cost string) string { return day("CoreWeave", d, 3, "", cost) }
	aws := func(d int, cost string) string { return day("AWS", d, 3, "", cost) }
	for name, steps := range map[string][]step{
		"daily files, one after the other": {
			{map[string]string{"02/a.csv": one}, "02", nil, "24", ""},
			{map[string]string{"03/a.csv": two}, "03", nil, "48", ""}, {nil, all, nil, "48", ""},
		},
		"the newer first": {
			{map[string]string{"02/a.csv": one, "03/a.csv": two}, "03", nil, "24", ""}, {nil, "02", nil, "48", ""},
		},
		"in one import": {{map[string]string{"02/a.csv": one, "03/a.csv": two}, all, nil, "48", ""}},
		"in a flat folder that grows": {
			{map[string]string{"a.csv": one}, all, nil, "24", ""},
			{map[string]string{"b.csv": two}, all, nil, "48", ""}, {nil, all, nil, "48", ""},
		},
		"with times, as advised before": {
			{map[string]string{"02/a.csv": one}, "02", at(5), "24", ""},
			{map[string]string{"03/a.csv": two}, "03", at(9), "48", ""},
		},
		"late rows of a day": {{map[string]string{"02/a.csv": one}, all, nil, "24", ""},
			{map[string]string{"03/a.csv": joined(two, day("Oracle", 2, 2, "late", "1"))}, all, nil, "50", ""}},
		"a row that was changed": {{map[string]string{"02/a.csv": one}, all, nil, "24", ""},
			{map[string]string{"03/a.csv": joined(two, day("Oracle", 2, 3, "r", "9"))}, "03", nil, "24", "conflicting rows"},
			{nil, "03", at(9), "24", "conflicting rows"}},
		"a file that was overwritten": {
			{map[string]string{"a.csv": one, "b.csv": two}, all, nil, "48", ""},
			{map[string]string{"b.csv": day("Oracle", 3, 2, "r", "7")}, all, nil, "38", ""},
		},
		"one of two, alone": {
			{map[string]string{"a.csv": one, "b.csv": two}, all, nil, "48", ""},
			{map[string]string{"b.csv": day("Oracle", 3, 2, "r", "7")}, "b.csv", nil, "48", "import that folder again"},
		},
		"no row ids, disjoint days": {
			{map[string]string{"02/a.csv": bare(2, "8")}, "02", nil, "24", ""},
			{map[string]string{"03/a.csv": bare(3, "8")}, "03", nil, "48", ""}, {nil, all, nil, "48", ""},
		},
		"no row ids, one day twice": {
			{map[string]string{"02/a.csv": bare(2, "8")}, "02", nil, "24", ""},
			{map[string]string{"03/a.csv": joined(bare(2, "7"), bare(3, "7"))}, "03", nil, "24", "overlaps"},
		},
		"no row ids, both at once": {
			{
				map[string]string{"02/a.csv": bare(2, "8"), "03/a.csv": joined(bare(2, "7"), bare(3, "7"))},
				all, nil, "0", "overlaps",
			},
		},
		"a day of Oracle without ids": {
			{map[string]string{"02/a.csv": day("Oracle", 2, 3, "", "8")}, "02", nil, "24", ""},
			{
				map[string]string{"03/a.csv": joined(day("Oracle", 2, 3, "", "7"), day("Oracle", 3, 3, "", "7"))},
				"03", at(9), "24", "overlaps",
			},
		},
		"a month that grows": {
			{map[string]string{"m.csv": bare(2, "8")}, all, nil, "24", ""},
			{map[string]string{"m.csv": joined(bare(2, "7"), bare(3, "7"))}, all, nil, "42", ""}, {nil, all, nil, "42", ""},
		},
		"a later month in another way": {
			{map[string]string{"1.csv": bare(2, "8")}, "1.csv", nil, "24", ""},
			{map[string]string{"2.csv": joined(bare(2, "7"), bare(3, "7"))}, "2.csv", at(9), "42", ""},
		},
		"AWS overwrites": {
			{map[string]string{"m.csv": aws(2, "8")}, all, nil, "24", ""},
			{map[string]string{"m.csv": joined(aws(2, "7"), aws(3, "7"))}, all, nil, "42", ""},
		},
		"AWS by day is no increment": {
			{map[string]string{"02/m.csv": aws(2, "8")}, "02", nil, "24", ""},
			{map[string]string{"03/m.csv": aws(3, "8")}, "03", nil, "24", "--delivered-at"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			m, root := newMemory(), t.TempDir()
			for i, s := range steps {
				for file, text := range s.files {
					path := filepath.Join(root, file)
					if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				_, err := importer(m).Import(t.Context(), Request{
					Source: "focus", URIs: []string{filepath.Join(root, s.take)}, DeliveredAt: s.at, KeepEverything: true,
				})
				if (err != nil) != (s.words != "") || err != nil && !strings.Contains(err.Error(), s.words) {
					t.Errorf("step %d: %v", i, err)
				}
				if got := counted(m); got != s.total {
					t.Errorf("step %d: %s USD instead of %s", i, got, s.total)
				}
			}
		})
	}
}

// counted is the sum over the charges of all counting deliveries.
func counted(m *memory) string {
	var sum money.Amount
	gone := map[string]bool{}
	for _, d := range m.current {
		for _, id := range d.Replaces {
			gone[id.String()] = true
		}
	}
	for _, key := range slices.Sorted(maps.Keys(m.current)) {
		d := m.current[key]
		if gone[d.ID.String()] {
			continue
		}
		for _, c := range m.charges[d.ID] {
			sum = sum.Add(*c.Effective)
		}
	}
	return sum.String()
}
