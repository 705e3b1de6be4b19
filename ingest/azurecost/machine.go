package azurecost

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"gpuledger/ingest/table"
	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// machine is a line's virtual machine.
type machine struct {
	key          string // instance key of the machine or its scale set (rule 2.1)
	instanceType string
	hours        bool // the line bills a machine's time
	spot         bool
	unused       bool // hours of a capacity reservation in which no machine ran
	managed      bool // a managed service bills GPUs, whose machine is not in the fleet
	reservation  string
}

// The meter categories of machines.
const (
	categoryMachines = "virtualmachines"
	compute          = "/providers/microsoft.compute/"
)

var (
	vmSize  = regexp.MustCompile(`(?i)\b(?:standard|basic)_[a-z0-9_-]+`)
	gpuWord = regexp.MustCompile(`(?i)\bGPUs?\b`)
)

// machine reads resource id, meter and AdditionalInfo. info is that map.
func (r row) machine(charge string, info []table.Pair) (m machine) {
	resource := strings.ToLower(r.resource())
	m.key = instanceKey(resource, look(info, "VMName"))
	usageType := strings.ToLower(look(info, "UsageType"))
	meter := r.TextOf(colMeterName)
	lowerMeter := strings.ToLower(meter)
	m.spot = strings.HasSuffix(usageType, "_spot") || strings.HasSuffix(usageType, "_lowpriority") ||
		strings.HasSuffix(lowerMeter, " spot") || strings.HasSuffix(lowerMeter, " low priority")
	if charge != typeUsage {
		m.instanceType = vmSize.FindString(r.TextOf(colOrderName))
		return m
	}
	vm := table.Squash(r.TextOf(colMeterCategory)) == categoryMachines || strings.HasPrefix(usageType, "computehr") &&
		!licence(r)
	if _, time := hoursPer(r.TextOf(colUnit)); m.key != "" && time && r.TextOf(colMeterCategory) == "" &&
		usageType == "" && !licence(r) {
		vm = true // the meter is unknown, but it measures a machine's time
	}
	if r.marketplace() { // software on a machine
		return m
	}
	if !vm {
		m.managed = m.key == "" && (gpuWord.MatchString(meter) || gpuWord.MatchString(r.TextOf(colMeterSubCategory)))
		return m
	}
	m.instanceType = sizeOf(look(info, "ServiceType"), meter)
	switch {
	case usageType == "computecr" || strings.Contains(resource, "/capacityreservations/"):
		m.unused, m.reservation = true, resource
	case strings.Contains(resource, "/providers/") && !strings.Contains(resource, compute):
		t, known := catalog.LookupAt(catalog.Azure, m.instanceType)
		m.managed = known && t.Slots() > 0
	default:
		m.hours = true
	}
	return m
}

// licence reports whether the meter is of software, which repeats the hours of its machine.
func licence(r row) bool {
	name := strings.ToLower(r.TextOf(colMeterCategory))
	return strings.Contains(name, "licen") || strings.Contains(name, "lizen")
}

// sizeOf is the machine type of a line: AdditionalInfo's, else the meter's name if the
// catalogue has such a machine ("NC24ads A100 v4").
func sizeOf(serviceType, meter string) string {
	if serviceType != "" {
		return serviceType
	}
	for _, cut := range []string{" Spot", " Low Priority"} {
		meter = strings.TrimSuffix(meter, cut)
	}
	name := "Standard_" + strings.ReplaceAll(meter, " ", "_")
	if t, known := catalog.LookupAt(catalog.Azure, name); known {
		return t.Name
	}
	return ""
}

// instanceKey is the key of a resource id's machine: a machine, a member of a scale set if
// vmName shows which, else the scale set, which stands for all its members. resource is in
// lower case.
func instanceKey(resource, vmName string) string {
	_, tail, ok := strings.Cut(resource, compute)
	if !ok {
		return ""
	}
	kind, rest, _ := strings.Cut(tail, "/")
	name, below, _ := strings.Cut(rest, "/")
	switch {
	case name == "":
		return ""
	case kind == "virtualmachines" && below == "":
		return ledger.AzureResourceKey(resource)
	case kind != "virtualmachinescalesets":
		return ""
	}
	set, _, _ := strings.Cut(resource, compute)
	set = ledger.AzureResourceKey(set + compute + kind + "/" + name)
	if number, found := strings.CutPrefix(below, "virtualmachines/"); found && member(number) {
		return set + "/virtualmachines/" + number
	}
	if number, found := memberOf(name, strings.ToLower(vmName)); found {
		return set + "/virtualmachines/" + number
	}
	return set
}

func member(number string) bool { return number != "" && !strings.Contains(number, "/") }

// memberOf finds the number of a scale set's member in its name: <set>_<number>, or the host
// name <set><six digits of base 36>.
func memberOf(set, vmName string) (number string, ok bool) {
	rest, found := strings.CutPrefix(vmName, set)
	if !found {
		return "", false
	}
	if decimal, plain := strings.CutPrefix(rest, "_"); plain {
		n, err := strconv.ParseUint(decimal, 10, 32)
		return strconv.FormatUint(n, 10), err == nil
	}
	if len(rest) != 6 {
		return "", false
	}
	n, err := strconv.ParseUint(rest, 36, 32)
	return strconv.FormatUint(n, 10), err == nil
}

// hourWords are words for an hour in units of measure; a day has 24.
var hourWords = wordSet("hour hours hr hrs hora horas stunde stunden heure heures ora ore uur uren 小时 小時 時間 시간")
var dayWords = wordSet("day days tag tage día dias días jour jours giorno 天 日")

// hoursPer is the number of hours per unit of the quantity. The number before the unit is the
// price list's block, not the quantity: 24 of "100 Hours" are 24 hours.
func hoursPer(unit string) (hours int64, ok bool) {
	words := strings.FieldsFunc(strings.ToLower(unit), func(c rune) bool {
		return c == ' ' || c == '/' || c >= '0' && c <= '9' || c == '.' || c == ','
	})
	switch {
	case len(words) == 0:
		return 0, false
	case hourWords[words[0]] && (len(words) == 1 || len(words) == 2 && dayWords[words[1]]):
		return 1, true
	case len(words) == 1 && dayWords[words[0]]:
		return 24, true
	}
	return 0, false
}

// instanceSeconds are the machine seconds that a line bills (rule 8.1). bad is set if they are
// out of range; known is false if the unit is not a time.
func (r row) instanceSeconds(quantity *money.Amount, unit string) (seconds *int64, known bool, bad *table.CellError) {
	per, ok := hoursPer(unit)
	if !ok {
		return nil, unit == "", nil
	}
	if quantity == nil {
		return nil, true, nil
	}
	hours := *quantity
	if per != 1 {
		hours = hours.MulRat(big.NewRat(per, 1))
	}
	s, ok := ledger.InstanceSeconds(hours)
	if !ok {
		return nil, true, &table.CellError{
			Column: colQuantity.Name(), Reason: "out of range",
			Detail: "at most 305419896 instance-hours are possible on one line",
		}
	}
	return &s, true, nil
}
