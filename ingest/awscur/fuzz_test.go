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
		if err == nil && r.tally.RejectedRows() == 0 {
			r.check(t)
		}
	})
}

func FuzzParsePairs(f *testing.F) {
	for _, s := range []string{`{}`, `[]`, `{"a":"b"}`, `[{"key":"a","value":1.50}]`, `{"a":{"b":null}}`, `x`, ` [`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		pairs, err := parsePairs(text)
		if err != nil && pairs != nil {
			t.Fatal("pairs beside an error")
		}
		for i := 1; i < len(pairs); i++ {
			if comparePairs(pairs[i-1], pairs[i]) > 0 {
				t.Fatalf("unsorted: %v", pairs)
			}
		}
	})
}

func FuzzParseManifest(f *testing.F) {
	f.Add([]byte(`{"executionId":"e","exportArn":"arn","dataFiles":["s3://b/k/2024-04-02T13:14:43.337Z-x/f.parquet"]}`))
	f.Add([]byte(`{"assemblyId":"a","reportKeys":["/x"],"submitTime":"2026-01-01"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := ParseManifest("m.json", text)
		if err == nil && len(m.DataFiles) == 0 {
			t.Fatal("a manifest without data files")
		}
	})
}

func FuzzInstant(f *testing.F) {
	for _, s := range []string{"2026-10-01T00:00:00Z", "2026-10-01 00:00:00", "2026-10-01", "2026-10-01T00:00:00+02:00", "2026-02-30"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		fast, ok := plainInstant(s)
		slow, err := parseInstant(s)
		if ok && (err != nil || fast != slow) {
			t.Fatalf("%q: %s, %s %v", s, fast, slow, err)
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
		case r.tally.RejectedRows() > 0:
		case r.deliveries[0].Rows != whole.deliveries[0].Rows:
			t.Errorf("damage at %d: %d rows instead of %d", at, r.deliveries[0].Rows, whole.deliveries[0].Rows)
		}
	}
}

func TestTextSum(t *testing.T) {
	for _, c := range []struct {
		in   []string
		want string
	}{
		{[]string{"1", "0.5", "-0.25"}, "1.25"},
		{[]string{"9999999999999999.99", "9999999999999999.99", "1e-30"}, "19999999999999999.980000000000000000000000000001"},
		{[]string{"922337203685477580", "922337203685477580", "922337203685477580", "922337203685477580", "922337203685477580", "922337203685477580", "922337203685477580", "922337203685477580", "922337203685477580", "922337203685477580", "922337203685477580"}, "10145709240540253380"},
		{[]string{"-0.000000000000000001", "2.63E-8", "+1"}, "1.000000026299999999"},
	} {
		var s textSum
		for _, x := range c.in {
			if err := s.add(x, false); err != nil {
				t.Errorf("%s: %v", x, err)
			}
		}
		var other textSum
		other.merge(&s)
		if got, err := other.total(); err != nil || got.String() != c.want {
			t.Errorf("%v = %s, want %s (%v)", c.in, got, c.want, err)
		}
	}
	var s textSum
	for _, x := range []string{".", "-", "x", "1/3", "0x10", "1_000", "NaN", "Inf", "1e400", "--1"} {
		if err := s.add(x, false); err == nil {
			t.Errorf("%q was added", x)
		}
	}
}
