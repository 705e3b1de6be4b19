package script

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// chargeKind is a kind of line, as named in cases.
type chargeKind struct {
	line     ledger.LineKind
	category ledger.ChargeCategory
	instance bool // bills the time of a machine, or modifies such a line
	free     bool // of no machine at all
}

// chargeKinds are the kinds of lines in the charge statement.
var chargeKinds = map[string]chargeKind{
	"usage":        {ledger.LineUsage, ledger.CategoryUsage, true, false},
	"covered":      {ledger.LineCoveredUsage, ledger.CategoryUsage, true, false},
	"negation":     {ledger.LineNegation, ledger.CategoryUsage, false, true},
	"fee":          {ledger.LineCommitmentFee, ledger.CategoryPurchase, false, true},
	"prepaid":      {ledger.LinePrepaid, ledger.CategoryPurchase, false, true},
	"discount":     {ledger.LineDiscount, ledger.CategoryCredit, true, false},
	"credit":       {ledger.LineDiscount, ledger.CategoryCredit, true, false},
	"refund":       {ledger.LineDiscount, ledger.CategoryAdjustment, true, false},
	"tax":          {ledger.LineInvoice, ledger.CategoryTax, true, false},
	"support":      {ledger.LineInvoice, ledger.CategoryPurchase, false, true},
	"network":      {ledger.LineUsage, ledger.CategoryUsage, false, false},
	"controlplane": {ledger.LineUsage, ledger.CategoryUsage, false, true},
	"managed":      {ledger.LineUsage, ledger.CategoryUsage, false, true},
	"split":        {ledger.LineSplit, ledger.CategoryUsage, false, false},
	"other":        {ledger.LineUsage, ledger.CategoryUsage, false, true},
	"marketplace":  {ledger.LineUsage, ledger.CategoryUsage, false, false},
}

// doCharge reads a line of a bill: charge KIND on NODE from … to … cost 32.77.
func (w *world) doCharge(s *statement) error {
	f, err := w.fields(s, 1, "on", "from", "to", "cost", "billed", "effective", "list", "contracted", "hours", "type",
		"region", "zone", "price", "account", "payer",
		"plan", "service", "usage", "currency", "period", "tag*", "name", "credit", "provider", "class", "split")
	if err != nil {
		return err
	}
	kind, ok := chargeKinds[s.args[0].text]
	if !ok {
		return w.c.fault(s, s.args[0], "%q is not a kind of charge: known are %s", s.args[0].text,
			strings.Join(slices.Sorted(maps.Keys(chargeKinds)), ", "))
	}
	if err := f.need("from", "to"); err != nil {
		return err
	}
	c := ledger.Charge{Kind: kind.line, Category: kind.category, SourceFile: w.c.File, Line: int64(s.line),
		Provider: f.text("provider", theProvider), LineItemType: s.args[0].text,
		Account: f.text("account", theAccount), BillingAccount: f.text("payer", "payer"),
		CommitmentID: f.text("plan", ""), InstanceType: f.text("type", ""),
		Region: f.text("region", ""), Zone: f.text("zone", ""),
		PriceClass: ledger.PriceClass(f.text("price", "")), Currency: f.text("currency", dollars),
		ServiceCode: f.text("service", ""), UsageType: f.text("usage", ""),
		InstanceHours: kind.instance, Class: f.text("class", ""),
		Marketplace: s.args[0].text == "marketplace", Allocated: f.text("split", "") == "for"}
	if c.Period, err = f.span(period.Interval{}); err != nil {
		return err
	}
	c.BillingPeriod = period.Month(f.text("period", string(period.MonthName(c.Period.From))))
	if _, err := c.BillingPeriod.Interval(); err != nil {
		return f.fault("period", "%s", err)
	}
	if c.Tags, err = f.pairs("tag"); err != nil {
		return err
	}
	if err := w.resource(f, kind, &c); err != nil {
		return err
	}
	if err := amounts(f, kind, &c); err != nil {
		return err
	}
	w.identify(f, &c)
	return nil
}

// resource sets the resource that the line bills.
func (w *world) resource(f *fields, kind chargeKind, c *ledger.Charge) error {
	name := f.text("on", "")
	switch {
	case name == "":
		c.InstanceHours = kind.instance && kind.line != ledger.LineInvoice &&
			(c.InstanceType != "" || kind.line != ledger.LineDiscount)
	case kind.free:
		c.ResourceID = name
	default:
		m, err := w.machine(f, "on", name)
		if err != nil {
			return err
		}
		c.ResourceID, c.InstanceID = m.key, m.key
		c.InstanceType, c.Region = cmp.Or(c.InstanceType, m.kind), cmp.Or(c.Region, m.region)
		if !f.has("account") {
			c.Account = m.account
		}
	}
	switch f.s.args[0].text {
	case "controlplane":
		c.ServiceCode, c.ResourceID = "AmazonEKS", cmp.Or(c.ResourceID, "arn:cluster/"+theCluster)
	case "managed":
		c.BillsGPU, c.ResourceID = true, cmp.Or(c.ResourceID, "arn:job")
	case "other":
		c.ServiceCode, c.ResourceID = cmp.Or(c.ServiceCode, "AmazonS3"), cmp.Or(c.ResourceID, "bucket")
	}
	if c.InstanceHours && c.ServiceCode == "" {
		c.ServiceCode = "AmazonEC2"
	}
	return nil
}

// amounts reads the four costs (cost sets all but list) and the billed time.
func amounts(f *fields, kind chargeKind, c *ledger.Charge) error {
	all, err := f.amount("cost")
	if err != nil {
		return err
	}
	c.Costs = ledger.Costs{Billed: all, Effective: all, Contracted: all}
	for key, m := range map[string]ledger.Metric{
		"billed": ledger.BilledCost, "effective": ledger.EffectiveCost,
		"list": ledger.ListCost, "contracted": ledger.ContractedCost,
	} {
		if !f.has(key) {
			continue
		}
		if f.text(key, "") == "none" {
			c.Set(m, nil)
			continue
		}
		a, err := f.amount(key)
		if err != nil {
			return err
		}
		c.Set(m, a)
	}
	if kind.line == ledger.LineSplit {
		c.Costs = ledger.Costs{Billed: &nothing, Effective: &nothing, List: &nothing, Contracted: &nothing}
	}
	if c.Costs == (ledger.Costs{}) {
		return f.c.fault(f.s, f.s.word, "charge needs cost, or some of billed, effective, list and contracted")
	}
	if c.CommitmentCredit, err = f.amount("credit"); err != nil {
		return err
	}
	if c.UsageAmount, err = f.amount("hours"); err != nil {
		return err
	}
	timed := c.InstanceHours && (kind.line == ledger.LineUsage || kind.line == ledger.LineCoveredUsage)
	if !timed {
		return nil
	}
	if c.UsageAmount == nil {
		h := hours(c.Period)
		c.UsageAmount = &h
	}
	seconds, ok := ledger.InstanceSeconds(*c.UsageAmount)
	if !ok {
		return f.fault("hours", "%s is not a number of machine hours", c.UsageAmount)
	}
	c.InstanceSeconds = &seconds
	return nil
}

// identify derives the line's id from its content, and a name for columns.
func (w *world) identify(f *fields, c *ledger.Charge) {
	name := f.text("name", "")
	parts := []string{string(c.Kind), c.Period.String(), string(c.BillingPeriod), c.Account, c.BillingAccount,
		c.ResourceID, c.InstanceType, c.CommitmentID, c.Currency,
		c.LineItemType, c.UsageType, c.Region, fmt.Sprint(c.Tags), name}
	for _, m := range ledger.Metrics {
		text := "none"
		if a := c.Get(m); a != nil {
			text = a.String()
		}
		parts = append(parts, text)
	}
	if c.UsageAmount != nil {
		parts = append(parts, c.UsageAmount.String())
	}
	key := strings.Join(parts, "\x1f")
	w.nth[key]++
	c.ID = ledger.NewID("charge", append(parts, fmt.Sprint(w.nth[key]))...)
	w.names2[c.ID] = cmp.Or(name, fmt.Sprintf("line %d", c.Line))
	w.charges = append(w.charges, *c)
}

// doRemove removes lines from the bill: a later delivery no longer has them.
func (w *world) doRemove(s *statement) error {
	if len(s.args) != 2 || s.args[0].text != "charge" {
		return w.c.fault(s, s.word, "write: remove charge NAME")
	}
	for i := range w.charges {
		if c := &w.charges[i]; w.names2[c.ID] == s.args[1].text && !w.gone[c.ID] {
			w.gone[c.ID] = true
			return nil
		}
	}
	return w.c.fault(s, s.args[1], "no charge is named %q: write name NAME with the charge", s.args[1].text)
}

// current lists the lines of the current bill.
func (w *world) current() []*ledger.Charge {
	var out []*ledger.Charge
	for i := range w.charges {
		if !w.gone[w.charges[i].ID] {
			out = append(out, &w.charges[i])
		}
	}
	return out
}

// coverage is the end of each account's coverage (rule 8.13): its bill has compute usage until then, or the month that
// ends then is closed.
func (w *world) coverage() map[string]period.Second {
	out := maps.Clone(w.billed)
	for _, c := range w.current() {
		if c.InstanceSeconds != nil {
			out[c.Account] = max(out[c.Account], c.Period.To)
		}
		for k := range w.closed {
			// doClose refuses other forms
			if month, err := k.month.Interval(); err == nil && k.account == c.BillingAccount {
				out[c.Account] = max(out[c.Account], month.To)
			}
		}
	}
	return out
}
