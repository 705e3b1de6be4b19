package posting

import (
	"context"
	"fmt"
	"slices"

	"gpuledger/allocation"
	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// ChunkStore reads the inputs of node-days and saves their results.
type ChunkStore interface {
	// NodeEvidence returns the hold evidence of a node name over its life.
	NodeEvidence(ctx context.Context, n ledger.Node) ([]ledger.HoldEvidence, error)
	// NodeSlices returns the MIG instances seen under a node name over its life.
	NodeSlices(ctx context.Context, n ledger.Node) ([]allocation.SliceSeen, error)
	// Days loads the facts of a node's days, given in ascending order, and telemetry with the margin on both sides. n
	// is zero for parts without a node, which come with the resource ids of metered charges.
	Days(ctx context.Context, n ledger.Node, days []period.Interval, margin period.Second) ([]allocation.DayInput, error)
	// SaveChunks replaces chunks of one node: usage, provisional parts, postings, spans and history in one
	// transaction, and drops their dirty marks up to meta.Mark and those of its calculation. It refuses chunks
	// whose marks another process has dropped with a *SupersededError, and saves the others.
	SaveChunks(ctx context.Context, chunks []*allocation.Chunk, meta ChunkMeta) error
}

// NodeWork is the planner's data about a node and the days to compute; the process that computes them reads the
// rest. It is plain data, so that every process computes the same from it.
type NodeWork struct {
	NodeID ledger.ID
	// Gone: the node left the fleet, so its chunks are removed.
	Gone     bool                 `json:",omitempty"`
	InMIG    bool                 `json:",omitempty"`
	Input    allocation.NodeInput // without Evidence and Slices
	Policies []policy.Policy      // of the node
	Days     []DayWork            // ascending
}

// DayWork is a day of a NodeWork.
type DayWork struct {
	Day            period.Interval
	Policy         int // of NodeWork.Policies
	CoveredUntil   period.Second
	MayBeBilled    period.Second `json:",omitempty"` // end of that time
	Rate, ListRate *ledger.Rate  `json:",omitempty"`
}

// nodeWork collects the planner's data about a node.
func (r *run) nodeWork(s *scene, p prices, d DirtyNode) *NodeWork {
	w := &NodeWork{NodeID: d.NodeID, Days: make([]DayWork, len(d.Days))}
	node := s.nodes[d.NodeID]
	if w.Gone = node == nil || node.GPUs == 0; w.Gone {
		w.Policies = []policy.Policy{r.policies.World()}
		for i := range d.Days {
			w.Days[i].Day = d.Days[i]
		}
		return w
	}
	workloads := s.workloads[node.ID]
	w.InMIG = s.inMIG(node)
	w.Input = allocation.NodeInput{
		Node: *node, Devices: s.devices[node.ID], Workloads: workloads, Attempts: s.attemptsOf(workloads),
		Placements: s.placements[node.ID], Host: s.hosts[node.ID],
	}
	about := policy.Node{Cluster: node.Cluster, Name: node.Name, InstanceType: node.InstanceType, GPUModel: node.GPUModel}
	for i, day := range d.Days {
		pol := r.policies.For(about, day.From)
		at := slices.Index(w.Policies, pol)
		if at < 0 {
			at = len(w.Policies)
			w.Policies = append(w.Policies, pol)
		}
		w.Days[i] = DayWork{Day: day, Policy: at, CoveredUntil: p.coveredUntil(node), MayBeBilled: p.mayBeBilled(node)}
		w.Days[i].Rate, w.Days[i].ListRate = p.rates(node, day, pol.Unpriced)
	}
	return w
}

// ratedWork is nodeWork with its rates stored first: postings never name a rate that cannot be looked up.
func (r *run) ratedWork(ctx context.Context, s *scene, p prices, d DirtyNode) (*NodeWork, error) {
	w := r.nodeWork(s, p, d)
	r.rated.Lock()
	defer r.rated.Unlock()
	var unknown []ledger.Rate
	for i := range w.Days {
		if rate := w.Days[i].Rate; rate != nil && !r.kept[rate.ID] {
			r.kept[rate.ID] = true
			unknown = append(unknown, *rate)
		}
	}
	return w, r.Store.KeepRates(ctx, unknown)
}

// computer returns the function that computes day i; calls must be in ascending order of days.
func (w *NodeWork) computer(ctx context.Context, store ChunkStore) (func(i int) (*allocation.Chunk, error), error) {
	if w.Gone {
		return func(i int) (*allocation.Chunk, error) {
			in, err := store.Days(ctx, ledger.Node{ID: w.NodeID}, []period.Interval{w.Days[i].Day}, 0)
			if err != nil {
				return nil, err
			}
			return allocation.GoneDay(w.NodeID, in[0])
		}, nil
	}
	input, node := w.Input, &w.Input.Node
	var err error
	if input.Evidence, err = store.NodeEvidence(ctx, *node); err != nil {
		return nil, fmt.Errorf("read evidence of node %s: %w", node.Name, err)
	}
	if w.InMIG { // other nodes have none, and looking costs a pass over their samples
		if input.Slices, err = store.NodeSlices(ctx, *node); err != nil {
			return nil, fmt.Errorf("read slices of node %s: %w", node.Name, err)
		}
	}
	engines := make([]*allocation.NodeEngine, len(w.Policies)) // days of one node may have different policy versions
	facts := dayReader{store: store, node: node, batch: batchDays(node.GPUs, w.InMIG)}
	for i := range w.Days {
		facts.days = append(facts.days, w.Days[i].Day)
	}
	return func(i int) (*allocation.Chunk, error) {
		day := &w.Days[i]
		pol := w.Policies[day.Policy]
		engine := engines[day.Policy]
		if engine == nil {
			var err error
			if engine, err = allocation.NewNode(input, pol); err != nil {
				return nil, fmt.Errorf("node %s: %w", node.Name, err)
			}
			engines[day.Policy] = engine
		}
		in, err := facts.day(ctx, i, pol.Margin())
		if err != nil {
			return nil, err
		}
		in.CoveredUntil, in.MayBeBilledUntil, in.Rate, in.ListRate = day.CoveredUntil, day.MayBeBilled, day.Rate, day.ListRate
		chunk := chunkRoom.Get().(*allocation.Chunk) //nolint:forcetypeassert // the pool holds only chunks
		return chunk, engine.DayInto(chunk, in)
	}, nil
}
