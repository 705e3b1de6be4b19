package gcpbilling

import (
	"math/big"
	"strings"

	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// System labels of machines.
const (
	labelSpec       = "compute.googleapis.com/machine_spec"
	labelCores      = "compute.googleapis.com/cores"
	labelMultiplier = "compute.googleapis.com/cores_milliscale_multiplier"
	labelUnused     = "compute.googleapis.com/is_unused_reservation"
)

// instance is the machine of a resource name.
type instance struct{ project, zone, name string }

// readInstance parses //compute.googleapis.com/projects/P/zones/Z/instances/ID; ok is false for
// other resources.
func readInstance(globalName string) (i instance, ok bool) {
	i.project, i.zone, i.name, ok = ledger.GoogleResource(globalName)
	return i, ok
}

// key is the instance key: the numeric id's, else that of project, zone and name. project is
// the id of the row's project, which resource names may have as a number.
func (i instance) key(project string) string {
	if digits(i.name) {
		return ledger.GoogleInstanceKey(i.name)
	}
	if digits(i.project) && project != "" {
		i.project = project
	}
	return ledger.GoogleNameKey(i.project, i.zone, i.name)
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// zoneName reports whether s looks like us-central1-a, regionName whether it looks like
// us-central1.
func zoneName(s string) bool {
	n := len(s)
	return n > 3 && s[n-2] == '-' && s[n-1] >= 'a' && s[n-1] <= 'z' && regionName(s[:n-2])
}

func regionName(s string) bool {
	n := len(s)
	return n > 3 && s[n-1] >= '0' && s[n-1] <= '9' && strings.Contains(s, "-")
}

// instanceSeconds are the instance-seconds of a row (rule 8.1); ok is false if the row should
// have some but their number is unknown.
func instanceSeconds(
	p part, amount *money.Amount, unit, machineType string, label func(string) string,
) (seconds *int64, ok bool) {
	if p != corePart && p != wholePart && p != slicePart {
		return nil, true
	}
	if amount == nil {
		return nil, true
	}
	back := amount.Sign() < 0 // a reversal takes back its time
	total := amount.Rat()
	total.Abs(total)
	switch strings.ToLower(unit) {
	case "seconds", "second", "s":
	case "hour", "hours", "h":
		total.Mul(total, big.NewRat(period.Hour, 1))
	default:
		return nil, false
	}
	t, known := catalog.LookupAt(catalog.GCP, machineType)
	switch p {
	case corePart:
		n := coreCount(label)
		if n == nil && known && t.VCPU > 0 {
			n = big.NewRat(int64(t.VCPU), 1)
		}
		if n == nil {
			return nil, false
		}
		total.Quo(total, n)
	case slicePart:
		if !known || t.GPUs == nil || t.GPUs.Sign() <= 0 {
			return nil, false
		}
		total.Quo(total, t.GPUs)
	}
	rounded, fits := halfUp(total)
	if !fits {
		return nil, false
	}
	if back {
		rounded = -rounded
	}
	return &rounded, true
}

// coreCount is the number of cores in a machine's labels; shared cores count in thousandths.
func coreCount(label func(string) string) *big.Rat {
	parse := func(key string) *big.Rat {
		text := label(key)
		if text == "" || len(text) > 12 || strings.Trim(text, "0123456789.") != "" {
			return nil
		}
		n, ok := new(big.Rat).SetString(text)
		if !ok || n.Sign() <= 0 {
			return nil
		}
		return n
	}
	n := parse(labelCores)
	if m := parse(labelMultiplier); n != nil && m != nil {
		n.Mul(n, m).Quo(n, big.NewRat(1000, 1))
	}
	return n
}

// halfUp rounds to whole seconds; fits is false above the limit of one line.
func halfUp(r *big.Rat) (seconds int64, fits bool) {
	n := new(big.Int).Lsh(r.Num(), 1)
	n.Add(n, r.Denom()).Quo(n, new(big.Int).Lsh(r.Denom(), 1))
	return n.Int64(), n.IsInt64() && n.Int64() <= ledger.MaxInstanceSeconds
}

// gpuMachine reports whether a machine type is known to have GPUs.
func gpuMachine(machineType string) bool {
	if machineType == "" {
		return false
	}
	if t, known := catalog.LookupAt(catalog.GCP, machineType); known {
		return t.Slots() > 0
	}
	return catalog.AcceleratedLooking(machineType)
}
