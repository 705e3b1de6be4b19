package bills

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"gpuledger/internal/fleetsim/world"
)

// gcpBill is the detailed export of the billing account, one file per export
// day: a day's file never changes, later rows come with later days.
type gcpBill struct {
	w     *world.World
	lines []*gcpLine // in file order
}

func newGCPBill(w *world.World) Bill {
	b := &gcpBill{w, gcpLines(w)}
	slices.SortStableFunc(b.lines, func(x, y *gcpLine) int { return cmp.Compare(x.exported, y.exported) })
	count := map[string]int64{}
	for _, l := range b.lines {
		l.file = "export-" + time.Unix(l.exported, 0).UTC().Format("2006-01-02") + ".json.gz"
		count[l.file]++
		l.line = count[l.file]
	}
	return b
}

// Charges implements Bill.
func (b *gcpBill) Charges() []*Charge {
	out := make([]*Charge, 0, len(b.lines))
	for _, l := range b.lines {
		billed := l.billed()
		c := &Charge{Amounts: Amounts{Effective: billed, Billed: billed}, Rule: l.rule, Billing: gcpBillingAccount,
			Account: b.w.Site.Account, Period: l.month, Currency: b.w.Site.Currency,
			File: l.file, Line: l.line, From: l.from, To: l.to, Node: l.node, Group: l.group, Seconds: l.seconds,
			Team: l.team, Service: l.serviceID, Region: l.region, Commitment: l.subscription}
		c.List, c.Contracted = Optional(l.listCost), Optional(l.contract)
		if c.Contracted == nil {
			c.Contracted = world.Decimal(l.cost)
		}
		if l.noProject {
			c.Account = ""
		}
		for _, x := range l.credits {
			if x.kind == "COMMITTED_USAGE_DISCOUNT" {
				c.Credit, c.Commitment = new(big.Rat).Neg(world.Decimal(x.amount)), x.id
			}
		}
		switch {
		case l.rule != OfMachine || l.adjustment != "":
		case c.Credit != nil:
			c.Bought = "covered"
		case strings.HasPrefix(l.sku, "Spot "):
			c.Bought = "spot"
		default:
			c.Bought = "on_demand"
		}
		out = append(out, c)
	}
	return out
}

// Optional is a number that may be missing.
func Optional(text string) *big.Rat {
	if text == "" {
		return nil
	}
	return world.Decimal(text)
}

// Write implements Bill.
func (b *gcpBill) Write(dir string, m *Files) error {
	m.BillLines += int64(len(b.lines))
	folder := filepath.Join("gcp", "gcp_billing_export_resource_v1_"+strings.ReplaceAll(gcpBillingAccount, "-", "_"))
	if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
		return fmt.Errorf("make folder of the bill: %w", err)
	}
	for i := 0; i < len(b.lines); {
		j := i
		for j < len(b.lines) && b.lines[j].file == b.lines[i].file {
			j++
		}
		rel := filepath.Join(folder, b.lines[i].file)
		if err := writeNDJSON(filepath.Join(dir, rel), b.lines[i:j], len(m.GCP)%2 == 1); err != nil {
			return fmt.Errorf("write bill %s: %w", rel, err)
		}
		m.GCP = append(m.GCP, rel)
		i = j
	}
	return nil
}

// writeNDJSON writes rows as BigQuery does: FLOAT64 as numbers when it
// extracts a table, as text when it answers a query; NUMERIC always as text.
func writeNDJSON(path string, lines []*gcpLine, asText bool) error {
	var buf bytes.Buffer
	zw := gzip.NewWriter(&buf)
	enc := json.NewEncoder(zw)
	enc.SetEscapeHTML(false)
	for _, l := range lines {
		if err := enc.Encode(l.row(asText)); err != nil {
			return err
		}
	}
	if err := zw.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, buf.Bytes(), 0o644)
}

// gcpRow, by field, is the schema of the detailed export.
type gcpRow struct {
	BillingAccountID string            `json:"billing_account_id"`
	Service          map[string]string `json:"service"`
	SKU              map[string]string `json:"sku"`
	UsageStart       string            `json:"usage_start_time"`
	UsageEnd         string            `json:"usage_end_time"`
	Project          *gcpProjectCell   `json:"project,omitempty"`
	Labels           []keyValue        `json:"labels"`
	SystemLabels     []keyValue        `json:"system_labels"`
	Location         map[string]string `json:"location"`
	Tags             []keyValue        `json:"tags"`
	TransactionType  string            `json:"transaction_type,omitempty"`
	SellerName       string            `json:"seller_name,omitempty"`
	ExportTime       string            `json:"export_time"`
	Cost             json.RawMessage   `json:"cost"`
	Currency         string            `json:"currency"`
	Conversion       json.RawMessage   `json:"currency_conversion_rate"`
	Usage            map[string]any    `json:"usage,omitempty"`
	Credits          []map[string]any  `json:"credits"`
	Invoice          map[string]string `json:"invoice"`
	CostType         string            `json:"cost_type"`
	Adjustment       map[string]string `json:"adjustment_info,omitempty"`
	CostAtList       json.RawMessage   `json:"cost_at_list,omitempty"`
	Resource         map[string]string `json:"resource,omitempty"`
	Price            map[string]string `json:"price,omitempty"`
	Subscription     map[string]string `json:"subscription,omitempty"`
	Model            map[string]string `json:"consumption_model,omitempty"`
	CostAtDefault    json.RawMessage   `json:"cost_at_effective_price_default,omitempty"`
	CostAtListModel  json.RawMessage   `json:"cost_at_list_consumption_model,omitempty"`
}

type gcpProjectCell struct {
	ID              string     `json:"id"`
	Number          string     `json:"number"`
	Name            string     `json:"name"`
	Labels          []keyValue `json:"labels"`
	AncestryNumbers string     `json:"ancestry_numbers"`
}

type keyValue struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

func keyValues(l []world.Label) []keyValue {
	out := make([]keyValue, 0, len(l))
	for _, x := range l {
		out = append(out, keyValue{x.Key, x.Value})
	}
	return out
}

func bqTime(t int64) string { return time.Unix(t, 0).UTC().Format("2006-01-02 15:04:05") + " UTC" }

func (l *gcpLine) row(asText bool) *gcpRow {
	float := func(text string) json.RawMessage {
		switch {
		case text == "":
			return nil
		case asText:
			return json.RawMessage(`"` + text + `"`)
		}
		return json.RawMessage(text)
	}
	r := &gcpRow{
		BillingAccountID: gcpBillingAccount, Service: map[string]string{"id": l.serviceID, "description": l.service},
		SKU:        map[string]string{"id": skuID(l.sku), "description": l.sku},
		UsageStart: bqTime(l.from), UsageEnd: bqTime(l.to), Labels: keyValues(l.labels),
		SystemLabels: keyValues(l.systemLabels), Tags: []keyValue{}, ExportTime: bqTime(l.exported),
		TransactionType: "GOOGLE", SellerName: "Google", Cost: float(l.cost),
		Currency: "USD", Conversion: float("1.0"), Credits: []map[string]any{},
		Invoice:  map[string]string{"month": strings.ReplaceAll(l.month, "-", ""), "publisher_type": "GOOGLE"},
		CostType: l.costType, CostAtList: float(l.listCost),
		CostAtDefault: float(l.contract), CostAtListModel: float(l.listCost),
		Model: map[string]string{"id": "7754-699E-0EBF", "description": "Default"},
	}
	if !l.noProject {
		r.Project = &gcpProjectCell{
			world.GCPProject, gcpProjectNumber, world.GCPProject,
			[]keyValue{{"env", world.GCPEnvironment}}, "/417205913378/88120033417/",
		}
		r.Location = map[string]string{"location": l.region, "country": "US", "region": l.region}
		if l.zone != "" {
			r.Location["location"], r.Location["zone"] = l.zone, l.zone
		}
	}
	if l.amount != "" {
		r.Usage = map[string]any{
			"amount": float(l.amount), "unit": l.unit,
			"amount_in_pricing_units": float(l.pricingAmount), "pricing_unit": l.perUnit,
		}
		r.Price = map[string]string{
			"effective_price": l.price, "tier_start_amount": "0", "unit": l.perUnit,
			"pricing_unit_quantity": "1", "list_price": l.price, "effective_price_default": l.price,
		}
	}
	if l.resource != "" {
		r.Resource = map[string]string{"name": l.resource, "global_name": l.global}
	}
	for _, c := range l.credits {
		cell := map[string]any{"name": c.name, "full_name": c.name, "amount": float(c.amount), "type": c.kind}
		if c.id != "" {
			cell["id"] = c.id
		}
		r.Credits = append(r.Credits, cell)
	}
	if l.adjustment != "" {
		r.Adjustment = map[string]string{
			"id": "adj-20261104-1", "description": "Overcharged cores", "mode": l.adjustment, "type": "USAGE_CORRECTION",
		}
	}
	if l.subscription != "" {
		r.Subscription = map[string]string{"instance_id": l.subscription}
	}
	return r
}

// skuID is a stable id in Google's form.
func skuID(text string) string {
	r := world.NewRNG(0, 60)
	for _, c := range []byte(text) {
		r.S ^= uint64(c)
		r.Next()
	}
	id := fmt.Sprintf("%012X", r.Next()>>16)
	return id[:4] + "-" + id[4:8] + "-" + id[8:]
}
