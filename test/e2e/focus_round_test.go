package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFOCUSOutAndInAgain imports the ledger's own focus_cost_and_usage into an empty one, which has no telemetry: the
// AllocatedTags alone say who owns what, and each owner has the same costs.
func TestFOCUSOutAndInAgain(t *testing.T) {
	first, second := smallLedger(t), freshDatabase(t)
	for _, format := range []string{"csv", "parquet"} {
		t.Run(format, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "focus."+format)
			must(t, "report", first, "focus_cost_and_usage", "--format", format, "--out", file)
			must(t, "import", second, "focus", file)
			must(t, "allocate", second)
			must(t, "verify", second)
			for _, key := range []string{
				"team", "business_unit", "project", "model", "stage", "environment", "cost_center", "experiment", "dataset",
				"user", "priority", "queue", "account", "service_name", "billing_period",
			} {
				args := []string{"costs", "--group-by", key, "--filter", "state != provisional", "--order", key + ",currency",
					"--columns", key + ",currency,effective_cost,billed_cost", "--format", "csv"}
				want := must(t, append([]string{"report", first}, args...)...)
				got := must(t, append([]string{"report", second}, args...)...)
				if got != want || strings.Count(want, "\n") < 2 {
					t.Errorf("by %s:\n%s\nwant:\n%s", key, clip(got), clip(want))
				}
			}
			if err := os.Remove(file); err != nil {
				t.Error(err)
			}
		})
	}
}
