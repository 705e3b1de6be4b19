package allocation

import (
	"fmt"
	"math/big"

	"gpuledger/allocation/fleet"
	"gpuledger/allocation/policy"
	"gpuledger/allocation/split"
	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// HostSize is the node's own report of its CPU and memory; 0 is unknown.
type HostSize struct {
	VCPU      int64
	MemoryMiB int64
}

// hostShare is the weight of the machine around the GPUs (rule 8.22).
type hostShare struct {
	// perRow is the host's weight per device-second; zero: all cost stays with the GPUs.
	perRow split.Fraction
	// units is the host's weight per second in units of unit, for shares by request.
	units int64
	unit  split.Fraction
	split policy.Split // in lowest terms
}

// Units of weight: of the policy's split, and per thousandth of a vCPU or MiB.
const (
	perVCPU = 1000
	perGiB  = 1024
)

// maxHostUnits leaves room for an hour of hundreds of holders in 64 bits. A machine of 10,000 vCPUs and 100 TiB under
// the AWS split uses a hundredth of it.
const maxHostUnits = 1 << 44

func hostUnits(s policy.Split, milliCPU, mebibytes int64) int64 {
	return s.CPU*milliCPU*perGiB + s.Memory*mebibytes*perVCPU
}

// Bounds of a machine; a source that reports more is wrong.
const (
	maxMilliCPU  = 10_000 * perVCPU
	maxMebibytes = 100_000 * perGiB
)

// weighHost computes the weight of the machine without its GPUs, from the catalogue, else from the node's own report.
func (n *NodeEngine) weighHost(said HostSize) {
	s := n.policy.Split
	if s.Whole() || n.node.GPUs == 0 {
		return
	}
	part := gcd(s.GPU, gcd(s.CPU, s.Memory))
	s = policy.Split{GPU: s.GPU / part, CPU: s.CPU / part, Memory: s.Memory / part}
	gpus := big.NewRat(int64(n.node.GPUs), 1)
	vcpu, memory := said.VCPU*perVCPU, said.MemoryMiB
	if t, ok := catalog.LookupAt(fleet.Provider(n.node.ProviderID), n.node.InstanceType); ok && t.Kind == catalog.GPU {
		if t.Slots() == n.node.GPUs {
			gpus = t.GPUs // may be a fraction of one
		}
		if t.VCPU > 0 {
			vcpu = int64(t.VCPU) * perVCPU
		}
		if t.HostGiB != nil {
			mib := new(big.Rat).Mul(t.HostGiB, big.NewRat(perGiB, 1))
			memory = new(big.Int).Quo(mib.Num(), mib.Denom()).Int64()
		}
	}
	if s.CPU > 0 && (vcpu < 1 || vcpu > maxMilliCPU) || s.Memory > 0 && (memory < 1 || memory > maxMebibytes) {
		n.report(always, "host_size_unknown",
			"node %s (%s): its vCPUs and memory are neither in the catalogue nor reported by the node, so all its cost "+
				"stays with its GPUs",
			n.node.Name, n.node.InstanceType)
		return
	}
	n.host.split, n.host.units = s, hostUnits(s, max(vcpu, 0), max(memory, 0))
	weight := new(big.Rat).Mul(gpus, big.NewRat(s.GPU*perVCPU*perGiB, 1)) // of all GPUs, in the same units
	row := new(big.Rat).Quo(big.NewRat(n.host.units, 1), weight)
	unit := new(big.Rat).Quo(big.NewRat(int64(n.node.GPUs), 1), weight)
	if n.host.units > maxHostUnits || !row.Denom().IsUint64() || !unit.Denom().IsUint64() {
		n.host = hostShare{}
		n.report(always, "host_split_too_fine",
			"node %s: the policy's split is too fine for this machine, so all its cost stays with its GPUs", n.node.Name)
		return
	}
	n.host.perRow = split.NewFraction(row.Num().Uint64(), row.Denom().Uint64())
	n.host.unit = split.NewFraction(unit.Num().Uint64(), unit.Denom().Uint64())
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// always overlaps every day.
var always = period.Interval{From: 0, To: 1 << 62}

// addHost adds the host's rows to those of the GPUs.
func (d *day) addHost(bills []bill) error {
	if d.host.perRow.IsZero() {
		return nil
	}
	give := d.hostByHolders
	if d.policy.HostTo == policy.HostToRequests {
		give = d.hostByRequests
	}
	for h := range bills {
		if len(d.hours[h].list) == 0 {
			continue
		}
		if err := give(h, &bills[h]); err != nil {
			return fmt.Errorf("host of hour %s: %w", bills[h].hour.From, err)
		}
	}
	return nil
}

var hostOrder = int8(ledger.Host.Order())

// hostByHolders gives each holder of GPUs the host's share in proportion to its GPUs; the share of free GPUs has no
// holder.
func (d *day) hostByHolders(hour int, _ *bill) error {
	for _, at := range d.hours[hour].list {
		from := d.rows[at] // a copy: the list grows
		key := from.key
		key.cause, key.activity = hostOrder, unknownOrder
		r := d.findAgain(&key)
		r.quality, r.method = r.quality.Worse(from.quality), methodHost
		r.device, r.profile = from.device, from.profile
		if err := r.weight.AddScaled(&from.weight, d.host.perRow); err != nil {
			return err
		}
	}
	return nil
}

var unknownOrder = int8(ledger.ActivityUnknown.Order())

// weigh prepares the weights by which an hour's money is split and the capacity of each row. The host's rows have
// weight and no capacity.
func (d *day) weigh(rows []int32, deviceSeconds uint64) error {
	d.shares = append(d.shares[:0], make([]money.Amount, len(rows))...)
	d.sums = d.sums[:0]
	for _, r := range rows {
		if d.rows[r].key.cause != hostOrder {
			d.sums = append(d.sums, &d.rows[r].weight)
		}
	}
	gpus := len(d.sums)
	d.weights.Take(d.sums)
	if !d.weights.AddUpTo(deviceSeconds) {
		return fmt.Errorf("usage rows do not add up to the hour's %d device-seconds: this is a fault of the engine",
			deviceSeconds)
	}
	capacity := split.Quantity(deviceSeconds, 2_500_000_000, 9) // seconds → 1e-12 GPU-hours
	if err := d.weights.SplitInto(d.shares[:gpus], capacity, &d.split); err != nil || gpus == len(rows) {
		return err
	}
	d.sums = d.sums[:0]
	for i := len(rows) - 1; i >= 0; i-- { // from behind: shares move up
		if d.rows[rows[i]].key.cause == hostOrder {
			d.shares[i] = zero
			continue
		}
		gpus--
		d.shares[i] = d.shares[gpus]
	}
	for _, r := range rows {
		d.sums = append(d.sums, &d.rows[r].weight)
	}
	d.weights.Take(d.sums)
	return nil
}
