package policy

import (
	"fmt"
	"slices"
)

// IdleKind is how idle minutes become held idle time (rule 7.4).
type IdleKind string

// Idle kinds.
const (
	Consecutive IdleKind = "consecutive" // an unbroken run of idle minutes
	RollingMean IdleKind = "mean"        // a window of known minutes whose mean is below the threshold
)

// Signal is the telemetry that activity is taken from (rule 5.1).
type Signal string

// Signals.
const (
	BestSignal Signal = "best" // PROF_GR_ENGINE_ACTIVE, else GPU_UTIL
	SMActive   Signal = "sm_active"
	Tensor     Signal = "tensor_active"
)

// Split gives the weights by which the cost of a machine is divided between its GPUs, its vCPUs and its memory in GB,
// in thousandths (rule 8.22). The zero value and GPUWhole leave everything with the GPUs.
type Split struct {
	GPU    int64 `json:"gpu" yaml:"gpu"`
	CPU    int64 `json:"cpu" yaml:"cpu"`
	Memory int64 `json:"memory" yaml:"memory"`
}

// Named splits. AWSSplit is that of AWS split cost allocation data for
// accelerated instances: 9 : 0.9 : 0.1 per GPU, vCPU and GB.
var (
	GPUWhole = Split{GPU: 1000}
	AWSSplit = Split{GPU: 9000, CPU: 900, Memory: 100}
)

// Whole reports whether everything stays with the GPUs.
func (s Split) Whole() bool { return s.CPU == 0 && s.Memory == 0 }

// HostTo is who gets the host's share of a node-hour (rule 8.22).
type HostTo string

// Receivers of the host's share.
const (
	HostToHolders  HostTo = "holders"  // holders of GPUs, in proportion to them
	HostToRequests HostTo = "requests" // pods by their CPU and memory requests; the node keeps the rest
)

// MIGWeight is how a MIG slice is weighed (rule 3.4).
type MIGWeight string

// MIG weights.
const (
	DominantShare MIGWeight = "dominant"
	ComputeOnly   MIGWeight = "compute"
	MemoryOnly    MIGWeight = "memory"
	Blended       MIGWeight = "blended"
)

// CardSharing is how the holders of one card share it (rule 4.8).
type CardSharing string

// Card sharings.
const (
	GivenShares CardSharing = "given" // by claims, annotations and replicas
	EqualShares CardSharing = "equal" // all holders equally, nothing unclaimed
)

// Unpriced is the cost of an hour that neither bill nor price book prices (rule 8.12).
type Unpriced string

// Ways to treat hours without a price.
const (
	AssumePublicPrice Unpriced = "public_price" // the public price in the catalogue
	LeaveUnknown      Unpriced = "unknown"      // no amount at all
)

func (p Policy) validateChoices() error {
	refuse := func(name string, value any, known ...string) error {
		return fmt.Errorf("policy %s: %s is %q, known are %q", p.Version, name, value, known)
	}
	switch {
	case !slices.Contains([]IdleKind{Consecutive, RollingMean}, p.IdleKind):
		return refuse("idle_kind", p.IdleKind, string(Consecutive), string(RollingMean))
	case !slices.Contains([]Signal{BestSignal, SMActive, Tensor}, p.IdleSignal):
		return refuse("idle_signal", p.IdleSignal, string(BestSignal), string(SMActive), string(Tensor))
	case p.Split.GPU < 1 || p.Split.CPU < 0 || p.Split.Memory < 0 ||
		max(p.Split.GPU, p.Split.CPU, p.Split.Memory) > 1_000_000:
		return fmt.Errorf("policy %s: split %d : %d : %d: weights are 0 to 1000, that of GPUs above 0", p.Version,
			p.Split.GPU, p.Split.CPU, p.Split.Memory)
	case !slices.Contains([]HostTo{HostToHolders, HostToRequests}, p.HostTo):
		return refuse("host_to", p.HostTo, string(HostToHolders), string(HostToRequests))
	case !slices.Contains([]MIGWeight{DominantShare, ComputeOnly, MemoryOnly, Blended}, p.MIG):
		return refuse("mig_weight", p.MIG, string(DominantShare), string(ComputeOnly), string(MemoryOnly), string(Blended))
	case p.MIGComputePPM < 0 || p.MIGComputePPM > 1_000_000:
		return fmt.Errorf("policy %s: mig_compute_ppm is %d, allowed is 0 to 1000000", p.Version, p.MIGComputePPM)
	case !slices.Contains([]CardSharing{GivenShares, EqualShares}, p.CardSharing):
		return refuse("card_sharing", p.CardSharing, string(GivenShares), string(EqualShares))
	case !slices.Contains([]Unpriced{AssumePublicPrice, LeaveUnknown}, p.Unpriced):
		return refuse("unpriced", p.Unpriced, string(AssumePublicPrice), string(LeaveUnknown))
	}
	return nil
}
