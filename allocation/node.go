package allocation

import (
	"cmp"
	"fmt"
	"slices"

	"gpuledger/allocation/fleet"
	"gpuledger/allocation/policy"
	"gpuledger/allocation/split"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// NodeEngine allocates the days of one node. It has the holds of all slots over the node's whole life and never changes
// after NewNode, so that days may be computed in any order and at the same time.
type NodeEngine struct {
	node   ledger.Node
	nodeID string // as it goes into derived ids
	policy policy.Policy

	workloads []HeldWorkload   // by uid
	attempts  []ledger.Attempt // by run, number, task
	byUID     map[string]int   // workload by uid
	segments  [][]segment      // per workload: its stretches inside an attempt, and outside all of them
	servings  [][]serving      // per workload: its hold without gaps, and the segments that share it
	devices   [][]ledger.Device
	holds     [][]*hold // per slot, by start, uid, slice
	host      hostShare
	single    string // sanitised profile of the instances that the node offers as GPUs
	problems  []problem
}

// none marks "no workload" and "no attempt"; it sorts before all others.
const none = -1

// hold is one workload on one slice of one slot.
type hold struct {
	period.Interval
	workload  int
	slot      int
	slice     int32
	requested bool           // placed by its request, without evidence (rule 4.4)
	share     split.Fraction // given by its placement or by the node's replicas; else zero
	given     bool           // by its placement
	replicas  int64          // replicas that its request took here (rule 4.4); 0: not placed as a replica
	claimed   bool           // by a resource claim
	parts     []unseen       // instances that no row shows (rule 4.13)
}

// problem is a diagnostic and when it matters.
type problem struct {
	period.Interval
	Diagnostic
}

// NewNode works out slots and holds over the node's life (docs/rules.md, sections 3 and 4). The order of the input does
// not matter. It returns an error for a policy that is out of bounds and for impossible GPU or replica counts.
func NewNode(in NodeInput, pol policy.Policy) (*NodeEngine, error) {
	if err := pol.Validate(); err != nil {
		return nil, err
	}
	if in.Node.GPUs < 0 || in.Node.GPUs > ledger.MaxGPUs {
		return nil, fmt.Errorf("node %s has %d GPUs: 0 to %d are possible; check its instance type and capacity",
			in.Node.Name, in.Node.GPUs, ledger.MaxGPUs)
	}
	if in.Node.Replicas < 0 || in.Node.Replicas > ledger.MaxReplicas {
		return nil, fmt.Errorf("node %s shares each GPU %d times: 1 to %d are possible; check its label "+
			"nvidia.com/gpu.replicas", in.Node.Name, in.Node.Replicas, ledger.MaxReplicas)
	}
	n := &NodeEngine{node: in.Node, nodeID: in.Node.ID.String(), policy: pol, byUID: make(map[string]int),
		single: sanitised(fleet.SingleProfile(in.Node.Labels))}
	n.weighHost(in.Host)
	n.placeDevices(in.Devices)
	n.takeWorkloads(in.Workloads)
	n.takeAttempts(in.Attempts)
	n.placeHolds(in)
	return n, nil
}

// placeDevices sorts devices into slots by exporter index, oldest first.
func (n *NodeEngine) placeDevices(devices []ledger.Device) {
	n.devices = make([][]ledger.Device, n.node.GPUs)
	sorted := slices.Clone(devices)
	slices.SortFunc(sorted, func(a, b ledger.Device) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Last, b.Last), cmp.Compare(a.UUID, b.UUID),
			cmp.Compare(a.Index, b.Index))
	})
	for _, d := range sorted {
		if d.Index < 0 || int(d.Index) >= n.node.GPUs {
			n.report(period.Interval{From: d.First, To: d.Last + period.Hour}, "device_without_slot",
				"device %s has index %d but the node has %d GPUs: its samples are ignored", d.UUID, d.Index, n.node.GPUs)
			continue
		}
		n.devices[d.Index] = append(n.devices[d.Index], d)
	}
}

// slotOf returns the slot of a device at a time: where it was seen then, else where it was first seen; none if it was
// never seen in a slot.
func (n *NodeEngine) slotOf(uuid string, hour period.Second) int {
	first := none
	for slot, devices := range n.devices {
		for _, d := range devices {
			if d.UUID != uuid {
				continue
			}
			if d.First <= hour && hour <= d.Last {
				return slot
			}
			if first == none {
				first = slot
			}
		}
	}
	return first
}

func (n *NodeEngine) takeWorkloads(list []HeldWorkload) {
	sorted := slices.Clone(list)
	slices.SortFunc(sorted, func(a, b HeldWorkload) int {
		return cmp.Or(cmp.Compare(a.UID, b.UID), slices.Compare(a.ID[:], b.ID[:]))
	})
	n.workloads = slices.CompactFunc(sorted, func(a, b HeldWorkload) bool { return a.ID == b.ID })
	for i := range n.workloads {
		w := &n.workloads[i]
		n.byUID[w.UID] = i
		inside := w.Hold.Intersect(n.node.Life)
		if !w.Hold.Empty() && inside != w.Hold {
			n.report(w.Hold, "hold_outside_life", "%s holds %s, its node existed %s: only the overlap counts", title(w),
				w.Hold, n.node.Life)
		}
		w.Hold = inside
	}
}

func title(w *HeldWorkload) string { return "pod " + w.Namespace + "/" + w.Name + " (" + w.UID + ")" }

func (n *NodeEngine) report(when period.Interval, code, format string, args ...any) {
	n.problems = append(n.problems, problem{when, Diagnostic{code, fmt.Sprintf(format, args...)}})
}
