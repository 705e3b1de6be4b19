package e2e

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOneBillHoweverItIsPacked: the same rows unpacked, packed, in parts, with a manifest and without, are one
// delivery, in any order.
func TestOneBillHoweverItIsPacked(t *testing.T) {
	const header = "identity_line_item_id,identity_time_interval,bill_payer_account_id,bill_billing_period_start_date,line_item_usage_account_id,line_item_line_item_type," +
		"line_item_usage_start_date,line_item_usage_end_date,line_item_product_code,line_item_usage_type,line_item_resource_id,line_item_usage_amount,line_item_currency_code," +
		"line_item_unblended_cost,pricing_public_on_demand_cost,pricing_unit\n"
	var rows []string
	for i := range 40 {
		day := fmt.Sprintf("2026-10-%02d", 1+i%28)
		rows = append(rows, fmt.Sprintf("line%d,%sT00:00:00Z/%sT01:00:00Z,111122223333,2026-10-01T00:00:00Z,444455556666,Usage,%sT00:00:00Z,%sT01:00:00Z,AmazonEC2,BoxUsage:p5.48xlarge,i-%d,1,USD,55.04,98.32,Hrs\n",
			i, day, day, day, day, i))
	}
	whole := header + strings.Join(rows, "")
	zipped, gzipped := bytes.Buffer{}, bytes.Buffer{}
	z := zip.NewWriter(&zipped)
	w, err := z.Create("cur/part-1.csv")
	if err != nil {
		t.Fatal(err)
	}
	g := gzip.NewWriter(&gzipped)
	for _, write := range []func() error{
		func() error { _, err := w.Write([]byte(whole)); return err }, z.Close,
		func() error { _, err := g.Write([]byte(whole)); return err }, g.Close,
	} {
		if err := write(); err != nil {
			t.Fatal(err)
		}
	}
	manifest := `{"exportArn":"arn:aws:bcm-data-exports:us-east-1:111122223333:export/x","exportName":"x","executionId":"e","dataFiles":["s3://b/x/data/BILLING_PERIOD=2026-10/x-00001.csv"]}`
	shapes := map[string]map[string]string{
		"unpacked": {"bill.csv": whole},
		"gzipped":  {"bill.csv.gz": gzipped.String()},
		"zipped":   {"bill.zip": zipped.String()},
		"in parts": {"a-1.csv": header + strings.Join(rows[:13], ""), "a-2.csv": header + strings.Join(rows[13:], "")},
		"with a manifest": {"metadata/BILLING_PERIOD=2026-10/x-Manifest.json": manifest,
			"data/BILLING_PERIOD=2026-10/x-00001.csv": whole},
	}
	order := []string{"unpacked", "gzipped", "zipped", "in parts", "with a manifest"}
	for from := range order { // each of them is the first once
		db := freshDatabase(t)
		for i := range order {
			name := order[(from+i)%len(order)]
			dir := t.TempDir()
			for file, text := range shapes[name] {
				path := filepath.Join(dir, file)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			sum := summaryOf(t, must(t, db, "import", "aws-cur", dir, "--output=json"))
			if want := map[bool]string{true: "published", false: "unchanged"}[i == 0]; sum.State != want || *sum.Accepted != 40 {
				t.Errorf("after %s, %s: %s with %d rows", order[from], name, sum.State, *sum.Accepted)
			}
		}
		if got := decodeCSV(t, must(t, db, "report", "deliveries", "--format=csv")); len(got.rows) != 1 {
			t.Errorf("%d deliveries", len(got.rows))
		}
	}
}
