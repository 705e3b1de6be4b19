package focus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gpuledger/test/billtest"
)

// Whatever a file holds, it is read whole or refused; it never panics, and no
// row is lost.
func FuzzBill(f *testing.F) {
	header := "BilledCost,EffectiveCost,ChargeCategory,BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,BillingCurrency,ProviderName,ResourceId,ConsumedQuantity,ConsumedUnit,SkuPriceDetails,Tags,AllocatedMethodId\n"
	f.Add(header + "1,1,Usage,2026-10-01,2026-10-01,2026-10-02,USD,AWS,i-1,1,Hours,,{},\n")
	f.Add(header + "-1e-9,NULL,Credit,2026-10-01T00:00Z,2026-10-01 " +
		"00:00:00,2026-10-02,EUR,x,,,,\"{\"\"GpuCount\"\":8}\",\"[{\"\"key\"\":\"\"a\"\"}]\",m\n")
	f.Add("ChargeType,BilledCost\n")
	f.Fuzz(func(t *testing.T, text string) {
		p := filepath.Join(t.TempDir(), "bill.csv")
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := billtest.ReadAll(t, Format, billtest.List(t, p), nil, nil)
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Fatal("an error without words")
			}
			return
		}
		if r.Tally.RejectedRows() == 0 {
			r.Check(t)
		}
	})
}
