package focus

import (
	"strings"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// details is what the text of SkuPriceDetails or x_SkuDetails says.
type details struct {
	instanceType string
	gpus         bool
}

// readDetails finds instance type and GPUs among the properties of a price.
func (b *binding) readDetails(r table.Row) (d details, bad *table.CellError) {
	for _, col := range []column{colSkuDetails, colSkuDetailsAzure} {
		text := b.text(r, col)
		if text == "" {
			continue
		}
		known, ok := b.details[text]
		if !ok {
			pairs, bad := b.pairs(r, col)
			if bad != nil {
				return d, bad
			}
			for _, p := range pairs {
				switch table.Squash(p.Key) {
				case "instancetype", "servicetype", "xinstancetype":
					known.instanceType = b.words.Intern(p.Value)
				case "gpucount", "xgpucount":
					n, err := money.Parse(p.Value)
					known.gpus = known.gpus || err == nil && n.Sign() > 0
				}
			}
			if b.details == nil || len(b.details) > 4096 {
				b.details = map[string]details{}
			}
			b.details[strings.Clone(text)] = known
		}
		d.instanceType, d.gpus = bill.First(d.instanceType, known.instanceType), d.gpus || known.gpus
	}
	return d, nil
}

// instanceType names the machine type of a row, empty when it bills none.
func (b *binding) instanceType(r table.Row, provider string) (name string, gpus bool, bad *table.CellError) {
	d, bad := b.readDetails(r)
	if bad != nil {
		return "", false, bad
	}
	name = d.instanceType
	if usage := b.text(r, colUsageType); name == "" && (strings.Contains(usage, "BoxUsage:") || strings.Contains(usage, "SpotUsage:")) {
		name = b.words.Intern(usage[strings.IndexByte(usage, ':')+1:])
	}
	if name == "" {
		for word := range strings.FieldsSeq(b.text(r, colDescription)) {
			if t, ok := catalog.LookupAt(provider, strings.Trim(word, ",.;()")); ok {
				name = t.Name
				break
			}
		}
	}
	if t, ok := catalog.LookupAt(provider, name); ok && name != "" {
		gpus = t.Slots() > 0
	}
	return name, gpus || d.gpus, nil
}

func hours(unit string) bool {
	switch strings.ToLower(unit) {
	case "hour", "hours", "hrs", "h", "instance-hours", "instance hours", "1 hour":
		return true
	}
	return false
}

// machine fills what the row says of an instance.
func (b *binding) machine(r table.Row, c *ledger.Charge) *table.CellError {
	name, gpus, bad := b.instanceType(r, c.Provider)
	if bad != nil {
		return bad
	}
	c.InstanceType, c.BillsGPU = name, gpus
	managed := strings.HasPrefix(name, "ml.") || strings.Contains(c.ServiceName, "SageMaker")
	c.InstanceHours = (name != "" || gpus) && hours(c.UsageUnit) && !managed
	c.InstanceID = b.instanceID(c)
	switch c.Kind {
	case ledger.LineUsage, ledger.LineCoveredUsage:
		c.PriceClass = priceClass(b.text(r, colPricingCategory), b.text(r, colCommitmentCategory), c.InstanceHours)
		if c.InstanceHours && c.UsageAmount != nil && c.UsageAmount.Sign() >= 0 {
			seconds, ok := ledger.InstanceSeconds(*c.UsageAmount)
			if !ok {
				return &table.CellError{Column: colConsumed.name(), Reason: "out of range", Detail: c.UsageAmount.String() + " instance-hours on one line; correct the line and deliver the bill again"}
			}
			c.InstanceSeconds = &seconds
		}
	case ledger.LineDiscount:
	default:
		c.InstanceHours = false
	}
	return nil
}

// instanceID is the key of the machine that a resource is.
func (b *binding) instanceID(c *ledger.Charge) string {
	id := c.ResourceID
	switch {
	case id == "":
		return ""
	case c.Provider == "aws":
		return ledger.AWSInstanceKey(id)
	case c.Provider == "azure":
		if key := ledger.AzureResourceKey(id); strings.Contains(key, "/virtualmachine") {
			return b.words.Intern(key)
		}
		return ""
	case c.Provider == "gcp":
		return b.words.Intern(googleKey(id))
	case c.InstanceHours || c.BillsGPU:
		return b.words.Intern(id[strings.LastIndexByte(id, '/')+1:])
	}
	return ""
}

// googleKey reads //compute.googleapis.com/projects/P/zones/Z/instances/I.
func googleKey(id string) string {
	project, zone, name, ok := ledger.GoogleResource(id)
	switch {
	case !ok:
		return ""
	case strings.Trim(name, "0123456789") == "":
		return ledger.GoogleInstanceKey(name)
	}
	return ledger.GoogleNameKey(project, zone, name)
}

func priceClass(pricing, commitment string, instance bool) ledger.PriceClass {
	switch {
	case pricing == "Dynamic" && instance:
		return ledger.Spot
	case pricing == "Committed" && commitment == "Spend":
		return ledger.SavingsPlan
	case pricing == "Committed":
		return ledger.Reserved
	case pricing == "Standard" && instance:
		return ledger.OnDemand
	}
	return ledger.UnknownRate
}

// Machine is the key of the GPU machine that a row bills.
func (b *binding) Machine(r table.Row) string {
	if b.text(r, colResource) == "" || b.text(r, colCategory) != "Usage" {
		return ""
	}
	c := ledger.Charge{Provider: b.provider(r), ResourceID: b.text(r, colResource)}
	name, gpus, bad := b.instanceType(r, c.Provider)
	if bad != nil || !gpus && !catalog.AcceleratedLooking(name) {
		return ""
	}
	c.BillsGPU = gpus
	return b.instanceID(&c)
}
