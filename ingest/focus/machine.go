package focus

import (
	"strconv"
	"strings"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// details are the contents of SkuPriceDetails or x_SkuDetails.
type details struct {
	instanceType string
	gpus         bool
	count        int64 // of GPUs, 0: not given as a whole number
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
					if count, err := strconv.ParseInt(p.Value, 10, 16); err == nil && count > 0 {
						known.count = count
					}
				}
			}
			if b.details == nil || len(b.details) > 4096 {
				b.details = map[string]details{}
			}
			b.details[strings.Clone(text)] = known
		}
		d.instanceType, d.gpus, d.count = bill.First(d.instanceType, known.instanceType), d.gpus || known.gpus,
			max(d.count, known.count)
	}
	return d, nil
}

// described returns a row's machine type, empty if it bills none, and its GPUs.
func (b *binding) described(r table.Row, provider string) (details, *table.CellError) {
	d, bad := b.readDetails(r)
	if bad != nil {
		return details{}, bad
	}
	if usage := b.text(r, colUsageType); d.instanceType == "" &&
		(strings.Contains(usage, "BoxUsage:") || strings.Contains(usage, "SpotUsage:")) {
		d.instanceType = b.words.Intern(usage[strings.IndexByte(usage, ':')+1:])
	}
	if d.instanceType == "" {
		for word := range strings.FieldsSeq(b.text(r, colDescription)) {
			if t, ok := catalog.LookupAt(provider, strings.Trim(word, ",.;()")); ok {
				d.instanceType = t.Name
				break
			}
		}
	}
	if t, ok := catalog.LookupAt(provider, d.instanceType); ok && d.instanceType != "" {
		d.gpus, d.count = d.gpus || t.Slots() > 0, int64(t.Slots())
	}
	of, _ := ledger.ReadUnit(partUnit(provider, b.text(r, colDescription), b.unit(r)))
	d.gpus = d.gpus || of == ledger.CountsGPU
	return d, nil
}

// partUnit is a unit with its subject: Google counts both cores and GPUs in seconds, and only
// the description shows which.
func partUnit(provider, description, unit string) string {
	if of, _ := ledger.ReadUnit(unit); provider != catalog.GCP || of != ledger.CountsMachine {
		return unit
	}
	for word := range strings.FieldsSeq(strings.ToLower(description)) {
		switch word {
		case "licensing", "license", "commitment":
			return unit
		case "gpu", "gpus":
			return "GPU " + unit
		case "core", "cores", "vcpu":
			return "core " + unit
		}
	}
	return unit
}

// unit is the unit of the row's quantity.
func (b *binding) unit(r table.Row) string {
	if b.pricedByTime(r) {
		return b.text(r, colPricingUnit)
	}
	return bill.First(b.text(r, colConsumedUnit), b.text(r, colPricingUnit))
}

// machine sets the row's instance and its time.
func (b *binding) machine(r table.Row, c *ledger.Charge) *table.CellError {
	d, bad := b.described(r, c.Provider)
	if bad != nil {
		return bad
	}
	c.InstanceType, c.BillsGPU = d.instanceType, d.gpus
	tax := c.Category == ledger.CategoryTax
	if tax && c.ResourceID != "" || c.Kind != ledger.LineInvoice &&
		(c.Kind != ledger.LineCommitmentFee || c.Category == ledger.CategoryUsage) {
		b.names(r, c)
	}
	rents, bad := b.rents(r, c)
	if bad != nil {
		return bad
	}
	time := bill.MachineTime
	if c.InstanceHours = rents || b.billsMachine(r, c); rents {
		c.Kind, time = ledger.LineUsage, rentedTime
	}
	switch c.Kind {
	case ledger.LineUsage, ledger.LineCoveredUsage:
		c.PriceClass = priceClass(b.text(r, colPricingCategory), b.text(r, colCommitmentCategory), c.InstanceHours)
		if ledger.ManagedMachine(c) { // another line bills its time
			c.PriceClass = ledger.UnknownRate
		} else if c.InstanceHours && !time(c, partUnit(c.Provider, c.Description, c.UsageUnit), d.count) {
			return &table.CellError{
				Column: colConsumed.name(), Reason: "out of range",
				Detail: c.UsageAmount.String() + " instance-hours on one line; correct the line and deliver the bill again",
			}
		}
	case ledger.LineDiscount:
	default:
		c.InstanceHours = tax && c.InstanceHours && c.InstanceID != ""
	}
	return nil
}

// billsMachine reports whether the row is the cost of a machine itself, should it name one of
// the fleet.
func (b *binding) billsMachine(r table.Row, c *ledger.Charge) bool {
	if ledger.HyperPodPool(c.InstanceID) {
		return true
	}
	managed := strings.HasPrefix(c.InstanceType, "ml.") || strings.Contains(c.ServiceName, "SageMaker")
	usage := b.text(r, colUsageType)
	of, _ := ledger.ReadUnit(c.UsageUnit)
	switch {
	case managed && !ec2(c), c.Provider == "aws" && usage != "" && !instanceUsage(usage):
		return false
	case (c.InstanceType != "" || c.BillsGPU) && of != ledger.CountsElse:
		return true
	case c.InstanceID == "":
		return false
	}
	return bill.Use{Unit: c.UsageUnit, Category: b.text(r, colServiceCategory), Type: b.text(r, colResourceType),
		Text: c.Description + " " + c.ServiceName}.BillsMachine()
}

func ec2(c *ledger.Charge) bool { return c.Provider == "aws" && c.InstanceID != "" }

// instanceUsage reports whether a usage type of AWS means instance hours.
func instanceUsage(usage string) bool {
	kind, _, _ := strings.Cut(usage, ":")
	if strings.HasSuffix(kind, "EKS-Auto") { // part of the price of an hour
		return true
	}
	switch kind[strings.LastIndexByte(kind, '-')+1:] {
	case "BoxUsage", "SpotUsage", "DedicatedUsage", "HostBoxUsage", "SchedUsage", "DedicatedRes":
		return true
	}
	return false
}

// names sets the keys of a resource's machine. Providers whose bills name machines by ids have
// one; others give them an id and a name.
func (b *binding) names(r table.Row, c *ledger.Charge) {
	id := c.ResourceID
	switch c.Provider {
	case "aws":
		if c.InstanceID = ledger.AWSInstanceKey(id); c.InstanceID != "" {
			return
		}
		name := bill.First(ledger.HyperPodType(b.text(r, colUsageType)), machineLearning(c.InstanceType),
			machineLearning(c.Description))
		if key := ledger.HyperPodKey(id, name); key != "" {
			c.InstanceID, c.InstanceType = b.words.Intern(key), bill.First(c.InstanceType, b.words.Intern(name))
		}
	case "azure":
		if key := ledger.AzureResourceKey(id); strings.Contains(key, "/virtualmachine") {
			c.InstanceID = b.words.Intern(key)
		}
	case "gcp":
		c.InstanceID = b.words.Intern(bill.First(googleKey(id), b.googleNamed(r, c)))
	default:
		named := b.words.Intern(strings.ToLower(lastPart(b.text(r, colResourceName))))
		if c.InstanceID = bill.First(b.words.Intern(strings.ToLower(lastPart(id))), named); c.InstanceID != named {
			c.InstanceAlias = named
		}
		if b.ofPool(r) {
			for _, key := range []*string{&c.InstanceID, &c.InstanceAlias} {
				if *key != "" {
					*key = b.words.Intern(ledger.NodePoolKey(*key))
				}
			}
		}
	}
}

// ofPool reports whether a row's resource is a node pool: by its type, else by the description.
func (b *binding) ofPool(r table.Row) bool {
	text := table.Squash(b.text(r, colResourceType))
	if text == "" {
		text = table.Squash(b.text(r, colDescription))
	}
	return strings.Contains(text, "nodepool") || strings.Contains(text, "nodegroup") || text == "pool"
}

// machineLearning is the first word with the form of a SageMaker type, empty if there is none.
func machineLearning(text string) string {
	for word := range strings.FieldsSeq(text) {
		if strings.HasPrefix(word, "ml.") {
			return word
		}
	}
	return ""
}

func lastPart(id string) string { return id[strings.LastIndexByte(id, '/')+1:] }

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

// googleNamed is the key of the instance that a row of Compute Engine bills, by its number, or
// by its name within a project and its zone or region. A boot disk has the name of its
// instance, so only rows of cores, memory, GPUs and types count.
func (b *binding) googleNamed(r table.Row, c *ledger.Charge) string {
	if !strings.Contains(c.ServiceName, "Compute Engine") || !ofInstance(c) {
		return ""
	}
	project, zone, region := b.text(r, colSubAccount), b.text(r, colZone), b.text(r, colRegion)
	resource := bill.First(c.ResourceID, b.text(r, colResourceName))
	name := lastPart(resource)
	switch {
	case name == "", name != resource && !strings.Contains(resource, "instances/"): // a reservation
		return ""
	case strings.Trim(name, "0123456789") == "":
		return ledger.GoogleInstanceKey(name)
	case project != "" && zone != "":
		return ledger.GoogleNameKey(project, zone, name)
	case project != "" && region != "":
		return ledger.GoogleRegionKey(project, region, name)
	}
	return ""
}

// ofInstance reports whether a row bills a part of an instance.
func ofInstance(c *ledger.Charge) bool {
	if c.InstanceType != "" || c.BillsGPU {
		return true
	}
	for word := range strings.FieldsSeq(strings.ToLower(c.Description)) {
		if word == "instance" || word == "gpu" {
			return true
		}
	}
	return false
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

// usesMachines reports whether a row can bill a machine: use, and purchases without a
// commitment.
func (b *binding) usesMachines(r table.Row) bool {
	switch b.text(r, colCategory) {
	case "Usage":
		return true
	case "Purchase":
		return b.text(r, colCommitment) == ""
	}
	return false
}

// Machine is the key of the machine that a row bills, unless its type has no GPUs.
func (b *binding) Machine(r table.Row) string {
	if b.text(r, colResource) == "" && b.text(r, colResourceName) == "" || !b.usesMachines(r) {
		return ""
	}
	c := ledger.Charge{
		Provider: b.provider(r), ResourceID: b.text(r, colResource),
		Description: b.text(r, colDescription), ServiceName: b.text(r, colService), UsageUnit: b.unit(r),
	}
	d, bad := b.described(r, c.Provider)
	if bad != nil || !d.gpus && d.instanceType != "" && !catalog.AcceleratedLooking(d.instanceType) &&
		catalog.Lists(c.Provider) {
		return ""
	}
	c.InstanceType, c.BillsGPU = d.instanceType, d.gpus
	if b.names(r, &c); !b.billsMachine(r, &c) {
		return ""
	}
	return c.InstanceID
}
