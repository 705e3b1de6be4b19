package awscur

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever the rows hold, the two passes agree, or the delivery is refused.
func FuzzCSV(f *testing.F) {
	header := "identity_line_item_id,identity_time_interval,bill_payer_account_id,bill_billing_period_start_date,line_item_line_item_type,line_item_usage_start_date,line_item_usage_end_date,line_item_currency_code,line_item_unblended_cost,pricing_public_on_demand_cost,resource_tags\n"
	f.Add(header + "a,b,1,2026-10-01,Usage,2026-10-01,2026-10-02,USD,1.5e-3,2,{}\n")
	f.Add(header + "a,b,1,2026-10-01,RIFee,2026-10-01,2026-10-02,USD,99999999999999999999.9,NULL,\"[{\"\"key\"\":\"\"k\"\",\"\"value\"\":\"\"v\"\"}]\"\na,b,1,2026-10-01,Tax,,,,,,\n")
	f.Fuzz(func(t *testing.T, body string) {
		p := filepath.Join(t.TempDir(), "f.csv")
		if err := os.WriteFile(p, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := readAll(t, list(t, p), nil, nil)
		if err == nil && r.Tally.RejectedRows() == 0 {
			r.Check(t)
		}
	})
}

func FuzzParseManifest(f *testing.F) {
	f.Add([]byte(`{"executionId":"e","exportArn":"arn","dataFiles":["s3://b/k/2024-04-02T13:14:43.337Z-x/f.parquet"]}`))
	f.Add([]byte(`{"assemblyId":"a","reportKeys":["/x"],"submitTime":"2026-01-01"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := Format.ParseManifest("m.json", text)
		if err == nil && len(m.DataFiles) == 0 {
			t.Fatal("a manifest without data files")
		}
	})
}

// Damaged Parquet never panics and never looks like a smaller delivery.
func TestDamagedParquet(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "good.parquet")
	writeWide(t, good, 2000)
	want, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := readAll(t, list(t, good), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	bad := filepath.Join(dir, "bad.parquet")
	for i := range 60 {
		broken := bytes.Clone(want)
		at := 4 + i*(len(want)-8)/60
		for j := at; j < min(at+8, len(broken)-4); j++ {
			broken[j] ^= 0x5a
		}
		if i%3 == 0 {
			broken = append(broken[:at], want[len(want)-8:]...)
		}
		if err := os.WriteFile(bad, broken, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := readAll(t, list(t, bad), nil, nil)
		switch {
		case err != nil:
			if !strings.Contains(err.Error(), "bad.parquet") {
				t.Errorf("damage at %d: %v does not name the file", at, err)
			}
		case r.Tally.RejectedRows() > 0:
		case r.Deliveries[0].Rows != whole.Deliveries[0].Rows:
			t.Errorf("damage at %d: %d rows instead of %d", at, r.Deliveries[0].Rows, whole.Deliveries[0].Rows)
		}
	}
}
