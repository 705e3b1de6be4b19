package ledger

import (
	"slices"
	"strings"

	"gpuledger/internal/period"
)

// Node is a resolved machine, from facts, events, the catalogue and the bill (docs/rules.md, section 2).
type Node struct {
	ID         ID // NodeID
	Cluster    string
	Name       string
	ProviderID string
	InstanceID string   // the first of Keys; empty if no provider names the machine
	Keys       []string // all instance keys of the machine (rule 2.1), most specific first
	// Candidates are keys of the bill that belong to no known machine and may be this one's: numeric ids of Google
	// machines (rule 8.5).
	Candidates   []string
	InstanceType string
	Region       string
	Zone         string
	PriceClass   PriceClass
	GPUModel     string
	GPUs         int // G; 0 = outside the fleet
	Replicas     int // shared clients per GPU, 1 = exclusive
	Account      string
	Labels       map[string]string
	Tags         map[string]string // billing tags of its newest compute line

	// Life is [appeared_at, gone_at); empty if the machine was only ever billed.
	Life period.Interval
	// Dark are the parts of Life, in order, in which the machine was not observed for more than a week; they do not
	// count as life (rule 2.11).
	Dark []period.Interval
	// InSource reports whether a placement source ever listed the node.
	InSource bool
	// Seen are the kinds of sources that ever reported the machine.
	Seen SeenBy
	// OwnerID owns the machine's free capacity (rule 7.11).
	OwnerID ID
}

// LifeOn is the stretch of the node's life that overlaps a day; empty on a day in the dark, and for a node that was
// only ever billed. No day overlaps two stretches (rule 2.11).
func (n *Node) LifeOn(day period.Interval) period.Interval {
	life := n.Life
	for _, d := range n.Dark {
		switch {
		case d.From <= day.From && d.To >= day.To:
			return period.Interval{}
		case d.To < day.To: // the life goes on before or on this day
			life.From = max(life.From, d.To)
		default:
			life.To = min(life.To, d.From)
		}
	}
	return life
}

// DarkDays are the whole UTC days of Dark.
func (n *Node) DarkDays() []period.Interval {
	var out []period.Interval
	for _, d := range n.Dark {
		if days := (period.Interval{
			From: (d.From + period.Day - 1).Floor(period.Day), To: d.To.Floor(period.Day),
		}); !days.Empty() {
			out = append(out, days)
		}
	}
	return out
}

// SeenBy is a set of the kinds of sources that reported a machine (docs/rules.md 2.9).
type SeenBy uint8

// Kinds of sources that may report a machine.
const (
	SeenListed  SeenBy = 1 << iota // its cluster, which names every machine
	SeenNamed                      // workloads of other systems, while it works
	SeenSampled                    // its own exporter
	SeenEnd                        // an event with the time of its end
)

// By reports whether any of the given kinds reported the machine.
func (s SeenBy) By(any SeenBy) bool { return s&any != 0 }

// Bounds of a node's attributes: larger values are a fault of the source.
const (
	MaxGPUs     = 256  // more than any machine has
	MaxReplicas = 1024 // clients per GPU, more than any sharing scheme allows
)

// Requested resources that mean GPUs, with names as sanitised by kube-state-metrics (rule 4.2). A profile follows the
// prefix.
const (
	ResourceGPU       = "nvidia_com_gpu"
	ResourceGPUShared = "nvidia_com_gpu_shared"
	ResourceMIGPrefix = "nvidia_com_mig_"
)

// Requests for a part of a card, in annotations (rule 4.11).
const (
	ResourceGPUFraction = "gpu_fraction_ppm"     // of each card
	ResourceGPUMemory   = "gpu_memory_mib"       // of each card
	ResourceGPUCards    = "gpu_fraction_devices" // of how many cards; 1 by default
	ResourceGPUCores    = "nvidia_com_gpucores"  // HAMi: percent of each card
)

// sharingResources are the prefixes of resources by which schedulers hand out parts of cards: HAMi's (in addition to
// nvidia.com/gpu), Aliyun's, Tencent's, Volcano's, Koordinator's.
var sharingResources = []string{
	ResourceGPUFraction, ResourceGPUMemory, ResourceGPUCores,
	"nvidia_com_gpumem", "aliyun_com_gpu_mem", "tencent_com_vcuda_",
	"volcano_sh_vgpu_", "volcano_sh_gpu_memory", "koordinator_sh_gpu", "koordinator_sh_shared_gpu",
}

// SharingResource reports whether a requested resource is a part of a card, where only the scheduler knows which
// card.
func SharingResource(name string) bool {
	return slices.ContainsFunc(sharingResources, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// Requested resources of the machine around the GPUs (rule 8.22).
const (
	ResourceCPU    = "cpu"    // thousandths of a vCPU; of a node's capacity: vCPUs
	ResourceMemory = "memory" // bytes
)

// NodeID returns the identity of a node: its cloud instance if known, else its cluster and name.
func NodeID(cluster, name, instanceID string) ID {
	if instanceID != "" {
		return NewID("instance", instanceID)
	}
	return NewID("node", cluster, name)
}

// Device is a physical accelerator seen on a node.
type Device struct {
	UUID  string
	Index int32
	Model string
	First period.Second // hour of its first and last samples on the node
	Last  period.Second
	InMIG bool
	// Registered: the scheduler counts it among the cards of the node.
	Registered bool
	NodeID     ID `db:"-"`
}
