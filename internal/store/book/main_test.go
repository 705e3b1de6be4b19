package book_test

import (
	"testing"

	"gpuledger/test/storetest"
)

// Statements that tests of other packages cover, by area or name.
var elsewhere = map[string]string{
	"adjust":               "internal/store/periods",
	"close":                "internal/store/periods",
	"statement":            "internal/store/periods",
	"workers":              "internal/workers",
	"calculation.evict":    "internal/workers",
	"calculation.keep":     "internal/workers",
	"calculation.mark":     "internal/workers",
	"chunk.count_late":     "internal/posting",
	"chunk.drop_estimates": "internal/posting",
	"mapping.put":          "internal/store",
	"policy.every":         "internal/store",
	"trial.owner_totals":   "internal/posting",
	"day.after":            "internal/store/facts",
	"day.before":           "internal/store/facts",
	"day.evidence":         "internal/store/facts",
	"day.slices":           "internal/store/facts",
	"day.final_postings":   "internal/posting",
	"day.final_usage":      "internal/posting",
	"dirty.work":           "internal/posting",
	"part.analyze_stage":   "internal/store/bills",
	"part.charge_months":   "internal/store/bills",
	"part.create_stage":    "internal/store/bills",
	"part.delete_changed":  "internal/store/bills",
	"part.insert_changed":  "internal/store/bills",
	"part.take_over":       "internal/store/bills",
	"part.take_over_final": "internal/posting",
	"policy.put_rate":      "internal/store/report",
	"statistics":           "internal/store/periods",
}

func TestMain(m *testing.M) { storetest.Main(m, elsewhere) }
