package focus

import (
	"strings"
	"testing"
)

func TestEachVersionHasItsColumns(t *testing.T) {
	for _, want := range []struct {
		version string
		columns int
		has     string
		lacks   string
	}{
		{"1.4", 65, "InvoiceDetailId", "ProviderName"},
		{"1.3", 65, "ProviderName", "InvoiceDetailId"},
	} {
		n := 0
		for _, c := range CostAndUsage.Columns {
			if c.In(want.version) {
				n++
			}
		}
		has, _ := CostAndUsage.Column(want.has)
		lacks, _ := CostAndUsage.Column(want.lacks)
		if n != want.columns || !has.In(want.version) || lacks.In(want.version) {
			t.Errorf("%s: %d columns, %s: %v, %s: %v", want.version, n, want.has, has.In(want.version), want.lacks,
				lacks.In(want.version))
		}
	}
}

func TestWrongLinesAreRefused(t *testing.T) {
	const right = "A | mandatory | null | text | - | - | Meaning."
	if _, err := parse(right); err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{{"mandatory", "required"}, {"null", "none"}, {"text", "word"}, {"| - | -", "| 14 | -"},
		{" | Meaning.", ""}, {"Meaning.", ""}} {
		line := strings.Replace(right, change[0], change[1], 1)
		if _, err := parse(line); err == nil {
			t.Errorf("%q is read", line)
		}
	}
}
