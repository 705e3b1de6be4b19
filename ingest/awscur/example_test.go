package awscur_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"gpuledger/ingest/awscur"
	"gpuledger/ingest/bill"
	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
)

// text is written as AWS writes it, with the columns that this example needs.
var text = strings.Join([]string{
	"bill_payer_account_id,bill_billing_period_start_date,line_item_line_item_type," +
		"line_item_usage_start_date,line_item_usage_end_date,line_item_resource_id,line_item_usage_type," +
		"pricing_unit,line_item_usage_amount,line_item_currency_code,line_item_unblended_cost",
	"111122223333,2026-11-01T00:00:00Z,Usage," +
		"2026-11-03T10:00:00Z,2026-11-03T11:00:00Z,i-0abc,BoxUsage:p5.48xlarge," +
		"Hrs,1,USD,55.04",
	"111122223333,2026-11-01T00:00:00Z,Usage," +
		"2026-11-03T10:00:00Z,2026-11-03T11:00:00Z,vol-0abc,EBS:VolumeUsage.gp3," +
		"GB-Mo,0.7,USD,0.056",
}, "\n")

// A report of two lines: an hour of a GPU machine and its disk. The first pass adds up the raw text (SurveyFile), the
// second makes charges (Read), and Finish compares the two and gives the delivery its control totals.
func Example() {
	dir, err := os.MkdirTemp("", "cur")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	report := filepath.Join(dir, "report.csv")
	if err := os.WriteFile(report, []byte(text), 0o600); err != nil {
		log.Fatal(err)
	}

	ctx := context.Background()
	files, err := blob.Stores(nil).List(ctx, report)
	if err != nil {
		log.Fatal(err)
	}
	survey, err := bill.SurveyFile(ctx, awscur.Format, files[0], bill.SurveyOptions{})
	if err != nil {
		log.Fatal(err)
	}
	plan := bill.NewPlan(awscur.Format, []*bill.Survey{survey}, nil, bill.PlanOptions{})
	if err := plan.Choose(ctx); err != nil {
		log.Fatal(err)
	}
	_, err = plan.Read(ctx, 0, func(_ int, charges []ledger.Charge) error {
		for _, c := range charges {
			fmt.Println(c.Line, c.ResourceID, c.Get(ledger.BilledCost), c.Currency)
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	deliveries, _, err := plan.Finish()
	if err != nil {
		log.Fatal(err)
	}
	for _, total := range deliveries[0].Totals {
		if total.Metric == ledger.BilledCost {
			fmt.Println(total.Account, total.BillingPeriod, total.SourceTotal)
		}
	}
	// Output:
	// 2 i-0abc 55.04 USD
	// 3 vol-0abc 0.056 USD
	// 111122223333 2026-11 55.096
}
