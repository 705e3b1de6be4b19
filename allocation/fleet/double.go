package fleet

import (
	"cmp"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Kinds of machines that may be in the ledger twice (rule 2.10).
const (
	TwoClusters = "machine_clusters" // one machine under two names of a cluster
	NeverMet    = "machine_bill"     // one machine from the bill and one from telemetry
)

// Double is a suspicion: two machines of the ledger that may be one.
type Double struct {
	What string
	A, B ledger.ID // one id if the ledger already has them as one machine
	// Names of both; for a machine that only a bill names, its key.
	NameA, NameB Name
	During       period.Interval
}

// Sighting is a name under which a machine was seen, and when.
type Sighting struct {
	Name
	During period.Interval
}

// Doubtful is the data in which suspicions are searched.
type Doubtful struct {
	Machines    []Machine
	Devices     map[ledger.ID][]ledger.Device
	Billed      []Billed
	Billers     map[string][]string           // providers of bills, per account
	Provisional map[ledger.ID]period.Interval // hours of machines with provisional cost
	Step        int64                         // by how much a life is longer than its samples
}

// Doubles finds machines that may be in the ledger twice, in a fixed order.
func Doubles(in Doubtful) []Double {
	out := slices.Concat(mergedClusters(in), twoClusters(in), neverMet(in))
	slices.SortFunc(out, func(x, y Double) int {
		return cmp.Or(cmp.Compare(x.What, y.What), compareNames(x.NameA, y.NameA), compareNames(x.NameB, y.NameB),
			cmp.Compare(x.During.From, y.During.From), slices.Compare(x.A[:], y.A[:]), slices.Compare(x.B[:], y.B[:]))
	})
	return out
}

func compareNames(x, y Name) int {
	return cmp.Or(cmp.Compare(x.Cluster, y.Cluster), cmp.Compare(x.Node, y.Node))
}

// mergedClusters are machines that one instance key merged into one in the ledger.
func mergedClusters(in Doubtful) (out []Double) {
	for i := range in.Machines {
		m := &in.Machines[i]
		for _, other := range m.Also {
			if during := other.During.Intersect(m.Own); other.Cluster != m.Cluster && during.Seconds() > in.Step {
				out = append(out, Double{TwoClusters, m.ID, m.ID, Name{m.Cluster, m.Name}, other.Name, during})
			}
		}
	}
	return out
}

// seen is a machine under a globally unique identifier.
type seen struct {
	m      *Machine
	during period.Interval
}

// twoClusters are machines of two clusters that share one instance key or one card.
func twoClusters(in Doubtful) []Double {
	under := map[string][]seen{}
	for i := range in.Machines {
		m := &in.Machines[i]
		if m.Seen == 0 {
			continue
		}
		for _, key := range identities(m) {
			under[key] = append(under[key], seen{m, m.Life})
		}
		for _, d := range in.Devices[m.ID] {
			if during := m.Life.Intersect(period.Interval{From: d.First, To: d.Last + period.Hour}); worldwide(d.UUID) &&
				!during.Empty() {
				under[d.UUID] = append(under[d.UUID], seen{m, during})
			}
		}
	}
	found := map[[2]ledger.ID]Double{}
	for key, group := range under {
		for i, x := range group {
			for _, y := range group[i+1:] {
				if compareNames(Name{x.m.Cluster, x.m.Name}, Name{y.m.Cluster, y.m.Name}) > 0 {
					x, y = y, x
				}
				during := x.during.Intersect(y.during)
				if x.m.Cluster == y.m.Cluster || x.m.ID == y.m.ID || during.Seconds() <= in.Step || reused(key, x.m, y.m) {
					continue
				}
				pair := [2]ledger.ID{x.m.ID, y.m.ID}
				if old, twice := found[pair]; twice {
					during = period.Interval{From: min(old.During.From, during.From), To: max(old.During.To, during.To)}
				}
				found[pair] = Double{TwoClusters, x.m.ID, y.m.ID, Name{x.m.Cluster, x.m.Name}, Name{y.m.Cluster, y.m.Name}, during}
			}
		}
	}
	out := make([]Double, 0, len(found))
	for _, d := range found {
		out = append(out, d)
	}
	return out
}

// identities are the keys that only one machine has at a time.
func identities(m *Machine) []string {
	var keys []string
	if m.InstanceID != "" {
		keys = append(keys, m.InstanceID)
	}
	for _, key := range m.Keys {
		if strings.HasPrefix(key, "gce/") && key != m.InstanceID {
			keys = append(keys, key)
		}
	}
	return keys
}

// reused reports whether a key is a Google name that several machines with numbers had in turn.
func reused(key string, x, y *Machine) bool {
	numbered := func(m *Machine) bool {
		return strings.HasPrefix(m.InstanceID, "gce/") && strings.Count(m.InstanceID, "/") == 1
	}
	return strings.HasPrefix(key, "gce/") && numbered(x) && numbered(y)
}

// worldwide reports whether an id of a card is globally unique: a UUID.
func worldwide(id string) bool {
	id = strings.TrimPrefix(id, "GPU-")
	return len(id) == 36 && strings.Count(id, "-") == 4 && strings.Trim(strings.ToLower(id), "0123456789abcdef-") == ""
}

// Unmet are the machines of the fleet that only the bill names, by key, and those of telemetry that no bill names; no
// machines are returned if one side is missing.
func Unmet(all []Machine, bills []Billed) (ofBill map[*Machine]Billed, ofTelemetry []*Machine) {
	billed := map[string]Billed{}
	for _, b := range bills {
		billed[b.InstanceID] = b
	}
	named := func(key string) bool { _, ok := billed[key]; return ok }
	ofBill = map[*Machine]Billed{}
	for i := range all {
		switch m := &all[i]; {
		case m.GPUs == 0:
		case m.Seen != 0 && !slices.ContainsFunc(m.Keys, named) && !slices.ContainsFunc(m.Candidates, named):
			ofTelemetry = append(ofTelemetry, m)
		case m.Seen == 0 && len(m.Keys) > 0 && named(m.Keys[0]):
			ofBill[m] = billed[m.Keys[0]]
		}
	}
	if len(ofBill) == 0 {
		return nil, nil
	}
	return ofBill, ofTelemetry
}

// neverMet gives each machine of telemetry without a bill and with provisional cost one machine of the bill without
// telemetry that it may be: the one billed longest in that time.
func neverMet(in Doubtful) []Double {
	var pairs []Double
	ofBill, ofTelemetry := Unmet(in.Machines, in.Billed)
	for _, tele := range ofTelemetry {
		costs := in.Provisional[tele.ID].Intersect(tele.Life)
		for bill, b := range ofBill {
			if during := costs.Intersect(b.Period); !during.Empty() && alike(tele, bill) &&
				mayBe(tele, bill, in.Billers[b.Account]) {
				pairs = append(pairs, Double{
					NeverMet, bill.ID, tele.ID, Name{bill.Cluster, bill.Name}, Name{tele.Cluster, tele.Name}, during,
				})
			}
		}
	}
	slices.SortFunc(pairs, func(x, y Double) int {
		return cmp.Or(cmp.Compare(y.During.Seconds(), x.During.Seconds()), compareNames(x.NameA, y.NameA),
			compareNames(x.NameB, y.NameB),
			slices.Compare(x.A[:], y.A[:]), slices.Compare(x.B[:], y.B[:]))
	})
	taken := map[ledger.ID]bool{}
	return slices.DeleteFunc(pairs, func(d Double) bool {
		if taken[d.A] || taken[d.B] {
			return true
		}
		taken[d.A], taken[d.B] = true, true
		return false
	})
}

// alike reports whether two machines have the same instance type, or the same GPUs if one has no type.
func alike(x, y *Machine) bool {
	if x.InstanceType != "" && y.InstanceType != "" {
		return strings.EqualFold(x.InstanceType, y.InstanceType)
	}
	return x.GPUModel != "" && x.GPUModel == y.GPUModel && x.GPUs == y.GPUs
}

// mayBe reports whether a machine in a bill can be one of telemetry: the bill can be its own, and they do not have
// different ids of one kind.
func mayBe(tele, bill *Machine, billers []string) bool {
	biller := providerOfKey(bill.InstanceID)
	if biller != "" && biller == Provider(tele.ProviderID) && tele.InstanceID != "" &&
		strings.Count(tele.InstanceID, "/") == strings.Count(bill.InstanceID, "/") {
		return false
	}
	if len(billers) == 0 {
		billers = []string{cmp.Or(biller, "unknown")}
	}
	return slices.ContainsFunc(billers, func(name string) bool {
		return MayBill(name, tele.ProviderID, tele.InstanceType)
	})
}
