package azurecost

import (
	"path/filepath"
	"strings"
	"testing"

	"gpuledger/test/billtest"
)

// Whatever the rows hold, the two passes agree, or the delivery is refused.
func FuzzCSV(f *testing.F) {
	header := "SubscriptionId,BillingAccountId,billingProfileId,BillingPeriodStartDate,BillingPeriodEndDate,Date,Cost,Currency,Quantity,UnitPrice,PayGPrice,exchangeRatePricingToBilling,pricingCurrency,ChargeType,PricingModel,ReservationId,benefitId,ConsumedService,MeterCategory,ResourceId,AdditionalInfo,Tags,UnitOfMeasure\n"
	f.Add(header + "S,1,p,09/01/2026,09/30/2026,9/2/2026,1.5e-3,USD,2,3,4,0.9,EUR,Usage,OnDemand,,,Microsoft.Compute,Virtual Machines,/subscriptions/s/resourceGroups/r/providers/Microsoft.Compute/virtualMachineScaleSets/v,\"\"\"VMName\"\": \"\"v_1\"\"\",null,1 Hour\n")
	f.Add("title\n" + header +
		",1,,,,2026-09-02,99999999999999999999.9,MC,,,,,,UnusedReservation,Reservation,r,,,,,,x,\nS,,,,,,,,,,,,,Purchase,,,,,,,,,\n")
	f.Add("\xff\xfea\x00,\x00b\x00\n\x00")
	f.Fuzz(func(t *testing.T, body string) {
		p := filepath.Join(t.TempDir(), "f.csv")
		write(t, p, body)
		r, err := readAll(t, billtest.List(t, p))
		if err == nil && r.Tally.RejectedRows() == 0 {
			r.Check(t)
		}
	})
}

func FuzzManifest(f *testing.F) {
	f.Add([]byte(newStyle("ActualCost", "2026-09-20T00:00:00Z", guid, blobOf("a/20260901-20260930/b/c.csv", 1, 1))))
	f.Add([]byte(`{"manifestVersion":"2021-01-01","blobCount":1,"blobs":[{"blobName":"cost/20230101-20230131/202301041442/x/1.csv"}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		Format.IsManifest(text)
		m, err := Format.ParseManifest("m", text)
		if err == nil {
			for _, d := range m.DataFiles {
				if strings.Trim(d.Name, "/") == "" || d.Bytes < -1 || d.Rows < -1 {
					t.Fatalf("%+v", d)
				}
			}
		}
	})
}

// A date reads the same from day-first text as from month-first text.
func FuzzDate(f *testing.F) {
	for _, s := range []string{"9/2/2026", "22.09.2026", "2026-09-02", "1/1/26 00:00", "20260902"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, ok := splitDate(s)
		if !ok {
			return
		}
		m, okM := d.in(monthFirst)
		r, okR := slashed{a: d.b, b: d.a, year: d.year}.in(dayFirst)
		if okM != okR || okM && m != r {
			t.Fatalf("%q: %s %s", s, m, r)
		}
		if at, err := parseDate(s, monthFirst); err == nil && at.Time().Year() != d.year {
			t.Fatalf("%q: %s", s, at)
		}
	})
}

func FuzzPairs(f *testing.F) {
	for _, s := range []string{`"a": "1","b": {"c":2}`, `{"a":null}`, `null`, `"`, `"a"`, `{}`, `"a": "1",`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if p, err := parsePairs(s); err != nil && p != nil {
			t.Fatal("pairs beside an error")
		}
	})
}
