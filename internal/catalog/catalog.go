package catalog

import (
	"math/big"
	"strings"
	"time"
)

// Kind distinguishes GPUs from other accelerators.
type Kind string

// Kinds. Both make a node part of the fleet (rule 2.4): data on other accelerators that no exporter shows are unknown,
// not absent.
const (
	GPU         Kind = "gpu"
	Accelerator Kind = "accelerator"
)

// Providers, as the tables and charges name them.
const (
	AWS   = "aws"
	GCP   = "gcp"
	Azure = "azure"
)

// InstanceType is one machine type.
type InstanceType struct {
	Provider  string // AWS, GCP or Azure
	Name      string // provider's spelling
	Kind      Kind
	GPUModel  string   // short name, see Model
	GPUs      *big.Rat // may be a fraction of a GPU, or a multiple; > 0
	MemoryMiB int64    // per GPU or fraction; 0 = not known
	VCPU      int      // 0 = not known
	HostGiB   *big.Rat // memory of the machine in GiB; nil = not known
	Source    string   // contains "by recall" for facts without a written source
	Date      time.Time
}

// Slots is the number of schedulable cards: 0 for a machine without any, 1 for a machine with a fraction of one, else
// their whole number.
func (t InstanceType) Slots() int {
	if t.GPUs == nil || t.GPUs.Sign() <= 0 {
		return 0
	}
	n := new(big.Int).Quo(t.GPUs.Num(), t.GPUs.Denom())
	return int(max(1, n.Int64()))
}

// fold makes names comparable: case and blanks around them do not matter, and
// Azure's "Standard_" prefix is optional.
func fold(name string) string {
	return strings.TrimPrefix(strings.ToLower(strings.TrimSpace(name)), "standard_")
}

// foldMachine is fold for a machine's name: SageMaker's "ml." types are named after the EC2 type. Prices of the two
// differ, so prices use fold.
func foldMachine(name string) string { return strings.TrimPrefix(fold(name), "ml.") }

// Lookup returns the machine type of that name, whatever its case, and none if two providers have different machines
// under it.
func Lookup(name string) (InstanceType, bool) {
	t, err := load()
	if err != nil {
		return InstanceType{}, false
	}
	at := t.byName[foldMachine(name)]
	if len(at) != 1 {
		return InstanceType{}, false
	}
	return t.types[at[0]], true
}

// LookupAt is Lookup at one provider. For a provider without machines in the catalogue (a marketplace, a neocloud, "")
// it is Lookup.
func LookupAt(provider, name string) (InstanceType, bool) {
	t, err := load()
	if err != nil {
		return InstanceType{}, false
	}
	provider = strings.ToLower(provider)
	if !t.providers[provider] {
		return Lookup(name)
	}
	for _, i := range t.byName[foldMachine(name)] {
		if t.types[i].Provider == provider {
			return t.types[i], true
		}
	}
	return InstanceType{}, false
}

// Lists reports whether the catalogue has machine types of a provider: a type of that provider that is not in it has no
// GPUs, unless its name looks so.
func Lists(provider string) bool {
	t, err := load()
	return err == nil && t.providers[strings.ToLower(provider)]
}

// Types lists all machine types, by provider and name.
func Types() ([]InstanceType, error) {
	t, err := load()
	if err != nil {
		return nil, err
	}
	return append([]InstanceType(nil), t.types...), nil
}
