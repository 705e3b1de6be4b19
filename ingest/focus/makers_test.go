package focus

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/test/billtest"
)

var update = flag.Bool("update", false, "rewrite the golden files of testdata/makers")

// TestMakers reads a bill of each maker and version (testdata/makers).
func TestMakers(t *testing.T) {
	files, err := filepath.Glob("testdata/makers/*.csv")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d bills, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			r, err := billtest.ReadAll(t, Format, billtest.List(t, file), nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if n := r.Tally.RejectedRows(); n > 0 {
				t.Fatalf("%d rejected: %v", n, r.Tally.First)
			}
			r.Check(t)
			got := golden(r)
			path := strings.TrimSuffix(file, ".csv") + ".golden"
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("charges:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// golden is one line per delivery, and one per charge, by line.
func golden(r *billtest.Result) string {
	var b strings.Builder
	for slot, d := range r.Deliveries {
		kind := "snapshot"
		if d.Kind == ledger.Append {
			kind = "increment"
		}
		fmt.Fprintf(&b, "%s %s: %s of %d rows\n", d.Scope, d.Partition, kind, d.Rows)
		charges := slices.Clone(r.Charges[slot])
		slices.SortFunc(charges, func(a, b ledger.Charge) int { return int(a.Line - b.Line) })
		for i := range charges {
			fmt.Fprintf(&b, "  %s\n", said(&charges[i]))
		}
	}
	return b.String()
}

func said(c *ledger.Charge) string {
	words := []string{fmt.Sprintf("line %d", c.Line), string(c.Kind), string(c.Category)}
	add := func(name, value string) {
		if value != "" {
			words = append(words, name+" "+value)
		}
	}
	add("class", c.Class)
	add("of", c.Account)
	add("machine", c.InstanceID)
	add("or", c.InstanceAlias)
	add("type", c.InstanceType)
	if c.InstanceSeconds != nil {
		add("seconds", fmt.Sprint(*c.InstanceSeconds))
	}
	for name, is := range map[string]bool{
		"bills GPUs": c.BillsGPU, "split for its owner": c.Allocated, "of a marketplace": c.Marketplace,
	} {
		if is {
			words = append(words, name)
		}
	}
	slices.Sort(words[3:])
	add("price", string(c.PriceClass))
	add("commitment", c.CommitmentID)
	for _, m := range ledger.Metrics {
		if a := c.Get(m); a != nil {
			add(strings.TrimSuffix(string(m), "_cost"), a.String())
		}
	}
	if len(c.Tags) > 0 {
		add("tags", strings.TrimPrefix(fmt.Sprint(c.Tags), "map"))
	}
	return strings.Join(append(words, c.Currency), ", ")
}
