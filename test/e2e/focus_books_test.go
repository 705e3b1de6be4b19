package e2e

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// focusBill writes a bill of one issuer: account, invoice, month, day, category, billed, effective, commitment, status,
// frequency of each line.
func focusBill(t *testing.T, lines ...[10]string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("BillingAccountId,InvoiceId,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd," +
		"ChargeCategory,BilledCost,EffectiveCost,ListCost,ContractedCost,CommitmentDiscountId,CommitmentDiscountStatus," +
		"ChargeFrequency,CommitmentDiscountCategory,CommitmentDiscountType,BillingCurrency,ServiceProviderName," +
		"InvoiceIssuerName,ServiceCategory,ServiceName,PricingQuantity,PricingUnit,ConsumedQuantity,ConsumedUnit," +
		"ResourceId,SkuPriceDetails,Tags\n")
	for _, l := range lines {
		starts, ends := fmt.Sprintf("2026-%s-%sT00:00:00Z", l[2], l[3]), fmt.Sprintf("2026-%s-%sT01:00:00Z", l[2], l[3])
		if l[4] == "Purchase" {
			ends = "2027" + starts[4:]
		}
		consumed, unit, kind, category := "1", "Hours", "", ""
		if l[4] != "Usage" || l[8] == "Unused" {
			consumed, unit = "", ""
		}
		if l[7] != "" {
			category, kind = "Usage", "Reserved Cluster"
		}
		b.WriteString(strings.Join([]string{l[0], l[1], "2026-" + l[2] + "-01T00:00:00Z", nextMonth(l[2]), starts, ends, l[4],
			l[5], l[6], l[5], l[5], l[7], l[8], l[9], category, kind, "EUR", "Nordic GPU", "Nordic GPU AS", "Compute",
			"GPU nodes", "1", "Hours", consumed, unit, "node-1", `"{""InstanceType"":""8xH100"",""GpuCount"":8}"`, `"{""team"":""nlp""}"`},
			",") + "\n")
	}
	path := filepath.Join(t.TempDir(), "bill.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func nextMonth(month string) string {
	return map[string]string{"09": "2026-10-01T00:00:00Z", "10": "2026-11-01T00:00:00Z"}[month]
}

// someColumns is a report's answer with some columns, a line per row.
func someColumns(t *testing.T, db, dataset, columns string, more ...string) string {
	t.Helper()
	text := must(t, append([]string{"report", db, dataset, "--columns", columns, "--format", "csv"}, more...)...)
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	lines := make([]string, 0, len(rows))
	for _, row := range rows[1:] {
		lines = append(lines, strings.Join(row, " "))
	}
	return strings.Join(lines, "\n")
}

// TestBooksOfFOCUS: months, invoice lines and commitments of an issuer with two billing accounts, before and after one
// and both are closed, and with a correction of the closed month.
func TestBooksOfFOCUS(t *testing.T) {
	db := freshDatabase(t)
	bill := func(at string, lines ...[10]string) {
		must(t, "import", db, "focus", focusBill(t, lines...), "--delivered-at", at)
		must(t, "allocate", db)
	}
	use := [10]string{"a", "INV-9a", "09", "03", "Usage", "20", "20", "", "", "Usage-Based"}
	covered := [10]string{"a", "INV-9a", "09", "04", "Usage", "0", "5", "rsv", "Used", "Usage-Based"}
	unused := [10]string{"a", "INV-9a", "09", "05", "Usage", "0", "3", "rsv", "Unused", "Usage-Based"}
	once := [10]string{"a", "INV-9a", "09", "01", "Purchase", "60", "0", "rsv", "", "One-Time"}
	monthly := [10]string{"a", "INV-9a", "09", "01", "Purchase", "20", "0", "rsv", "", "Recurring"}
	other := [10]string{"b", "", "09", "03", "Usage", "7", "7", "", "", "Usage-Based"}
	october := [10]string{"a", "INV-10a", "10", "03", "Usage", "11", "11", "", "", "Usage-Based"}
	bill("2026-10-01T00:00:00Z", use, covered, unused, once, monthly)
	bill("2026-10-01T00:00:00Z", other)
	bill("2026-10-20T00:00:00Z", october)

	check := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s:\n%s\nwant:\n%s", what, got, want)
		}
	}
	periods := func() string {
		return someColumns(t, db, "focus_billing_period", "InvoiceIssuerName,BillingPeriodStart,BillingPeriodEnd,"+
			"BillingPeriodStatus")
	}
	const september, october2 = "Nordic GPU AS 2026-09-01T00:00:00Z 2026-10-01T00:00:00Z ",
		"Nordic GPU AS 2026-10-01T00:00:00Z 2026-11-01T00:00:00Z "
	check("months", periods(), september+"Open\n"+october2+"Open")
	invoices := func() string {
		return someColumns(t, db, "focus_invoice_detail", "InvoiceId,BillingPeriodStart,ChargeCategory,BilledCost,"+
			"InvoiceIssueStatus,ReferenceInvoiceId")
	}
	check("invoice lines", invoices(), `INV-9a 2026-09-01T00:00:00Z Purchase 80 Open INV-9a
INV-9a 2026-09-01T00:00:00Z Usage 20 Open INV-9a
INV-10a 2026-10-01T00:00:00Z Usage 11 Open INV-10a`)
	check("commitments", someColumns(t, db, "focus_contract_commitment", "ContractCommitmentId,ContractId,"+
		"ContractCommitmentType,ContractCommitmentCost,BillingCurrency,ContractCommitmentPaymentModel,"+
		"ContractCommitmentPaymentUpfrontPercentage,ContractCommitmentDurationType,ContractCommitmentPeriodStart,"+
		"ContractCommitmentPeriodEnd,x_AssumedColumns"),
		"rsv rsv Reserved Cluster 80 EUR Partial Upfront 0.75 1 Year 2026-09-01T00:00:00Z 2027-09-01T00:00:00Z "+
			"ContractPeriodEnd ContractPeriodStart")
	check("commitments of October", someColumns(t, db, "focus_contract_commitment", "ContractCommitmentId",
		"--billing-period", "2026-10"), "")

	must(t, "close", db, "2026-09", "--account", "a")
	check("months with one account closed", periods(), september+"Open\n"+october2+"Open")
	must(t, "close", db, "2026-09", "--account", "b")
	check("months with both closed", periods(), september+"Closed\n"+october2+"Open")

	closed := func() string {
		return must(t, "report", db, "focus_billing_period", "--billing-period", "2026-09", "--format", "csv") +
			must(t, "report", db, "focus_invoice_detail", "--billing-period", "2026-09", "--format", "csv") +
			someColumns(t, db, "focus_contract_commitment", "ContractCommitmentCreated")
	}
	before := closed()
	use[5], use[6] = "15", "15"
	bill("2026-10-25T00:00:00Z", use, covered, unused, once, monthly)
	check("rows of the closed month after a late change", closed(), before)
	check("invoice lines after a late change", invoices(), `INV-9a 2026-09-01T00:00:00Z Purchase 80 Issued INV-9a
INV-9a 2026-09-01T00:00:00Z Usage 20 Issued INV-9a
INV-10a 2026-10-01T00:00:00Z Usage 11 Open INV-10a
INV-9a 2026-10-01T00:00:00Z Usage -5 Open INV-9a`)
	check("commitments after it", someColumns(t, db, "focus_contract_commitment",
		"ContractCommitmentId,ContractCommitmentCost"), "rsv 80")

	for _, dataset := range []string{"focus_billing_period", "focus_invoice_detail"} {
		code, _, errs := gpuledger(t, "report", db, dataset, "--focus-version", "1.3")
		if code == exitOK || !strings.Contains(errs, "1.3 has no dataset") {
			t.Errorf("%s in FOCUS 1.3: status %d, %s", dataset, code, errs)
		}
	}
	if got := must(t, "report", db, "focus_contract_commitment", "--focus-version", "1.3", "--format", "csv"); strings.
		Contains(got, "ContractCommitmentModel") || !strings.HasPrefix(got, "BillingCurrency,ContractCommitmentCategory,") {
		t.Errorf("commitments in FOCUS 1.3:\n%s", got)
	}
}

// TestContractsOfFOCUS: a commitment keeps the contract that its bill names, in its own row and in those of its use.
func TestContractsOfFOCUS(t *testing.T) {
	db := freshDatabase(t)
	must(t, "import", db, "focus", filepath.Join("..", "..", "ingest", "focus", "testdata", "makers", "gpucloud-1.4.csv"))
	must(t, "allocate", db)
	if got := someColumns(t, db, "focus_contract_commitment", "ContractId,ContractCommitmentId,"+
		"ContractCommitmentOfferCategory,ContractCommitmentQuantity,ContractCommitmentUnit"); got !=
		"c-7 rsv-64 Negotiated 7440 GPU Hours" {
		t.Errorf("commitments: %s", got)
	}
	used := someColumns(t, db, "focus_cost_and_usage", "CommitmentDiscountStatus,ContractApplied", "--filter",
		"CommitmentDiscountId = rsv-64 and ChargeCategory = Usage", "--order", "CommitmentDiscountStatus")
	if strings.Count(used, `"ContractId": "c-7", `) != 2 || strings.Count(used, "\n") != 1 {
		t.Errorf("use under the commitment:\n%s", used)
	}
}
