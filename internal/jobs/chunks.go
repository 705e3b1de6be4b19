package jobs

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"gpuledger/allocation"
	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
)

// chunks recomputes every dirty node-day. A node is loaded once for all of its
// days and forgotten before the next; days without a node stand for themselves.
func (r *run) chunks(ctx context.Context, s *scene, p prices, dirty []DirtyNode) error {
	work, total := spreadOut(dirty)
	var mu sync.Mutex
	done := func(c *allocation.Chunk) {
		mu.Lock()
		defer mu.Unlock()
		r.sum.Chunks++
		r.sum.UsageRows += int64(len(c.Usage))
		r.sum.Postings += int64(len(c.Postings))
		if r.Progress != nil {
			r.Progress(r.sum.Chunks, total)
		}
	}
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(r.workers)
	for _, d := range work {
		if working.Err() != nil {
			break
		}
		group.Go(func() error { return r.node(working, s, p, d, done) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}

// spreadOut makes the days without a node separate pieces of work.
func spreadOut(dirty []DirtyNode) (work []DirtyNode, days int) {
	for _, d := range dirty {
		days += len(d.Days)
		if !d.NodeID.IsZero() {
			work = append(work, d)
			continue
		}
		for i := range d.Days {
			work = append(work, DirtyNode{Days: d.Days[i : i+1], Mark: d.Mark})
		}
	}
	return work, days
}

func (r *run) node(ctx context.Context, s *scene, p prices, d DirtyNode, done func(*allocation.Chunk)) error {
	compute, err := r.computer(ctx, s, p, d)
	if err != nil {
		return err
	}
	for i := range d.Days {
		meta := ChunkMeta{Calculation: r.calculation, PolicyVersion: r.policies.At(d.Days[i].From).Settings.Version, Mark: d.Mark}
		chunk, err := compute(i)
		if err != nil {
			return fmt.Errorf("allocate node %s on %s: %w", d.NodeID, d.Days[i].From, err)
		}
		r.findings.add(chunk.Diagnostics...)
		if err := r.Store.SaveChunk(ctx, chunk, meta); err != nil {
			return fmt.Errorf("save node %s on %s: %w", d.NodeID, d.Days[i].From, err)
		}
		done(chunk)
	}
	return nil
}

// computer returns the function that computes day i of d.
func (r *run) computer(ctx context.Context, s *scene, p prices, d DirtyNode) (func(i int) (*allocation.Chunk, error), error) {
	if d.NodeID.IsZero() {
		return func(i int) (*allocation.Chunk, error) {
			in, err := r.Store.Day(ctx, ledger.Node{}, d.Days[i], 0)
			if err != nil {
				return nil, err
			}
			return allocation.NodelessDay(in.Parts, d.Days[i], r.policies.At(d.Days[i].From).Settings.Version, s.payer(in.Resources))
		}, nil
	}
	node := s.nodes[d.NodeID]
	if node == nil || node.GPUs == 0 { // left the fleet: what it once had goes
		return func(i int) (*allocation.Chunk, error) {
			return &allocation.Chunk{NodeID: d.NodeID, Day: d.Days[i]}, nil
		}, nil
	}
	evidence, err := r.Store.NodeEvidence(ctx, *node)
	if err != nil {
		return nil, fmt.Errorf("read evidence of node %s: %w", node.Name, err)
	}
	var slices []allocation.SliceSeen
	if s.inMIG(node) { // others have none, and looking costs a pass over their samples
		if slices, err = r.Store.NodeSlices(ctx, *node); err != nil {
			return nil, fmt.Errorf("read slices of node %s: %w", node.Name, err)
		}
	}
	workloads := s.workloads[node.ID]
	input := allocation.NodeInput{
		Node: *node, Devices: s.devices[node.ID], Workloads: workloads, Attempts: s.attemptsOf(workloads),
		Evidence: evidence, Placements: s.placements[node.ID], Slices: slices,
	}
	engines := map[policy.Policy]*allocation.NodeEngine{} // days of one node may lie under several versions
	return func(i int) (*allocation.Chunk, error) {
		pol := r.policies.For(policy.Node{Cluster: node.Cluster, Name: node.Name, InstanceType: node.InstanceType, GPUModel: node.GPUModel}, d.Days[i].From)
		engine := engines[pol]
		if engine == nil {
			var err error
			if engine, err = allocation.NewNode(input, pol); err != nil {
				return nil, fmt.Errorf("node %s: %w", node.Name, err)
			}
			engines[pol] = engine
		}
		in, err := r.Store.Day(ctx, *node, d.Days[i], pol.Margin())
		if err != nil {
			return nil, err
		}
		in.CoveredUntil = p.coveredUntil(node)
		in.Rate, in.ListRate = p.rates(node, d.Days[i])
		return engine.Day(in)
	}, nil
}
