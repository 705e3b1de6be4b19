package bills

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/klauspost/compress/gzip"

	"gpuledger/internal/fleetsim/world"
)

// azureColumns is the header of EA exports of version 2024-08-01.
var azureColumns = []string{
	"InvoiceSectionName", "AccountName", "AccountOwnerId", "SubscriptionId", "SubscriptionName",
	"ResourceGroup", "ResourceLocation", "Date", "ProductName", "MeterCategory",
	"MeterSubCategory", "MeterId", "MeterName", "MeterRegion", "UnitOfMeasure", "Quantity",
	"EffectivePrice", "CostInBillingCurrency", "CostCenter", "ConsumedService",
	"ResourceId", "Tags", "OfferId", "AdditionalInfo", "ServiceInfo1",
	"ServiceInfo2", "ResourceName", "ReservationId", "ReservationName", "UnitPrice",
	"ProductOrderId", "ProductOrderName", "Term", "PublisherType", "PublisherName",
	"ChargeType", "Frequency", "PricingModel", "AvailabilityZone", "BillingAccountId",
	"BillingAccountName", "BillingCurrencyCode", "BillingPeriodStartDate", "BillingPeriodEndDate",
	"BillingProfileId", "BillingProfileName", "InvoiceSectionId", "IsAzureCreditEligible",
	"PartNumber", "PayGPrice", "PlanName", "ServiceFamily", "CostAllocationRuleName",
	"benefitId", "benefitName", "AccountId", "ResourceLocationNormalized",
}

// azureBill is the pair of exports of an enrolment.
type azureBill struct {
	w     *world.World
	lines []*azureLine // numbered per export and month
}

func newAzureBill(w *world.World) Bill {
	b := &azureBill{w, azureLines(w)}
	for k, list := range b.parts() {
		for i, l := range list {
			l.file = k.dataset() + "/" + k.name()
			l.line = int64(i) + 2
		}
	}
	return b
}

// azurePart is one data file: an export and a month.
type azurePart struct {
	amortized bool
	month     string
}

func (k azurePart) dataset() string {
	if k.amortized {
		return "AmortizedCost"
	}
	return "ActualCost"
}

// name: one of the exports is compressed.
func (k azurePart) name() string {
	if k.amortized {
		return "part_0_0001.csv.gz"
	}
	return "part_0_0001.csv"
}

func (b *azureBill) parts() map[azurePart][]*azureLine {
	out := map[azurePart][]*azureLine{}
	for _, l := range b.lines {
		k := azurePart{l.amortized, monthOf(l.day)}
		out[k] = append(out[k], l)
	}
	return out
}

// Charges implements Bill.
func (b *azureBill) Charges() []*Charge {
	out := make([]*Charge, 0, len(b.lines))
	for _, l := range b.lines {
		cost := world.Decimal(l.cells["CostInBillingCurrency"])
		c := &Charge{Rule: l.rule, Billing: azureEnrolment, Account: l.cells["SubscriptionId"], Period: monthOf(l.day),
			Currency: b.w.Site.Currency, File: l.file, Line: l.line,
			From: l.day, To: l.day + 86400, Node: l.node, Group: l.group, Seconds: l.seconds,
			Team: l.team, Service: l.cells["MeterCategory"], Region: b.w.Site.Region}
		if l.amortized {
			quantity := world.Decimal(l.cells["Quantity"])
			times := func(price string) *big.Rat { return new(big.Rat).Mul(world.Decimal(l.cells[price]), quantity) }
			c.Amounts = Amounts{Effective: cost, List: times("PayGPrice"), Contracted: times("UnitPrice")}
			if c.List.Sign() == 0 && c.Contracted.Sign() != 0 { // a price, but not a public one
				c.List = nil
			}
		} else {
			c.Amounts = Amounts{Billed: cost}
		}
		if l.rule == OfMachine {
			c.Bought = map[string]string{
				"OnDemand": "on_demand", "Spot": "spot", "Reservation": "covered",
			}[l.cells["PricingModel"]]
		}
		out = append(out, c)
	}
	return out
}

// Write implements Bill.
func (b *azureBill) Write(dir string, m *Files) error {
	m.BillLines += int64(len(b.lines))
	parts := b.parts()
	for _, amortized := range []bool{false, true} {
		for month := time.Unix(b.w.From, 0).UTC(); ; month = month.AddDate(0, 1, 0) {
			month = time.Date(month.Year(), month.Month(), 1, 0, 0, 0, 0, time.UTC)
			if month.Unix() >= b.w.BillTo {
				break
			}
			k := azurePart{amortized, month.Format("2006-01")}
			lines := parts[k]
			if lines == nil {
				continue
			}
			if b.w.Config.Restate {
				if err := b.run(dir, k, month, 0, b.earlier(lines), &m.AzureOld); err != nil {
					return err
				}
			}
			if err := b.run(dir, k, month, 1, lines, &m.Azure); err != nil {
				return err
			}
		}
	}
	return nil
}

// earlier is the month some hours before: some meters had not arrived, and some prices were not final.
func (b *azureBill) earlier(lines []*azureLine) []*azureLine {
	var out []*azureLine
	for i, l := range lines {
		if i%7 == 3 {
			continue
		}
		old := *l
		if i%7 == 5 {
			old.cells = maps.Clone(l.cells)
			old.cells["CostInBillingCurrency"] = trimmed(new(big.Rat).Mul(world.Decimal(l.cells["CostInBillingCurrency"]),
				big.NewRat(21, 20)).FloatString(16))
		}
		out = append(out, &old)
	}
	return out
}

// run writes one run of an export: its data and its manifest.
func (b *azureBill) run(
	dir string, k azurePart, month time.Time, number int, lines []*azureLine, files *[]string,
) error {
	w := b.w
	r := world.NewRNG(w.Config.Seed, 31, uint64(month.Unix()), uint64(number), uint64(len(k.dataset())))
	runID, last := r.UUID(), month.AddDate(0, 1, -1)
	folder := path.Join("acme", "speech-"+k.dataset(), month.Format("20060102")+"-"+last.Format("20060102"), runID)
	var body bytes.Buffer
	if err := azureCSV(&body, lines); err != nil {
		return fmt.Errorf("write azure bill: %w", err)
	}
	compression, data := "none", body.Bytes()
	if k.amortized {
		var packed bytes.Buffer
		zw := gzip.NewWriter(&packed)
		if _, err := zw.Write(data); err != nil {
			return fmt.Errorf("compress azure bill: %w", err)
		}
		if err := zw.Close(); err != nil {
			return fmt.Errorf("compress azure bill: %w", err)
		}
		compression, data = "gzip", packed.Bytes()
	}
	blob := path.Join(folder, k.name())
	manifest, err := json.MarshalIndent(map[string]any{
		"manifestVersion": "2024-04-01", "blobCount": 1, "byteCount": len(data), "dataRowCount": len(lines),
		"exportConfig": map[string]string{"exportName": "speech-" + k.dataset(),
			"resourceId": "/providers/Microsoft.Billing/billingAccounts/" + azureEnrolment +
				"/providers/Microsoft.CostManagement/exports/speech-" + k.dataset(),
			"dataVersion": "2024-08-01", "apiVersion": "2023-07-01-preview",
			"type": k.dataset(), "timeFrame": "MonthToDate", "granularity": "Daily"},
		"deliveryConfig": map[string]any{"partitionData": true, "dataOverwriteBehavior": "CreateNewReport",
			"fileFormat": "Csv", "compressionMode": compression,
			"containerUri": "https://acmebilling.blob.core.windows.net/cost", "rootFolderPath": "acme"},
		"runInfo": map[string]string{"executionType": "Scheduled",
			"submittedTime": world.IsoSecond(w.BillTo + int64(number)*6*3600 + 1800), "runId": runID,
			"startDate": month.Format("2006-01-02T15:04:05"), "endDate": last.Format("2006-01-02T15:04:05")},
		"blobs": []map[string]any{{"blobName": blob, "byteCount": len(data), "dataRowCount": len(lines)}},
	}, "", "  ")
	if err != nil {
		return fmt.Errorf("encode azure manifest: %w", err)
	}
	rel := filepath.Join("azure", filepath.FromSlash(folder))
	if err := os.MkdirAll(filepath.Join(dir, rel), 0o755); err != nil {
		return fmt.Errorf("make folder of the bill: %w", err)
	}
	for _, f := range []struct {
		name string
		data []byte
	}{{k.name(), data}, {"manifest.json", append(manifest, '\n')}} {
		if err := os.WriteFile(filepath.Join(dir, rel, f.name), f.data, 0o644); err != nil {
			return fmt.Errorf("write azure bill: %w", err)
		}
		*files = append(*files, filepath.Join(rel, f.name))
	}
	return nil
}

// azureCSV writes rows with a byte-order mark and CRLF, as the exports have.
func azureCSV(out *bytes.Buffer, lines []*azureLine) error {
	out.WriteString("\ufeff")
	cw := csv.NewWriter(out)
	cw.UseCRLF = true
	if err := cw.Write(azureColumns); err != nil {
		return err
	}
	record := make([]string, len(azureColumns))
	for _, l := range lines {
		for i, c := range azureColumns {
			record[i] = l.cells[c]
		}
		if err := cw.Write(record); err != nil {
			return err
		}
	}
	cw.Flush()
	return cw.Error()
}
