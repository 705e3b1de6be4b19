package jobs

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"gpuledger/allocation"
	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
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

// batchCards are so many card-days read and written at once, a month at most:
// what a round trip and a transaction cost is shared, and memory stays small.
const batchCards = 256

// chunkRoom keeps chunks that are saved, for the next ones.
var chunkRoom = sync.Pool{New: func() any { return new(allocation.Chunk) }}

func (s *scene) batchDays(node ledger.ID) int {
	n := s.nodes[node]
	if n == nil || n.GPUs == 0 {
		return 31
	}
	cards := n.GPUs
	if s.inMIG(n) {
		cards *= 7
	}
	return min(max(batchCards/cards, 1), 31)
}

func (r *run) node(ctx context.Context, s *scene, p prices, d DirtyNode, done func(*allocation.Chunk)) error {
	compute, err := r.computer(ctx, s, p, d)
	if err != nil {
		return err
	}
	version := func(i int) string { return r.policies.At(d.Days[i].From).Settings.Version }
	batch := s.batchDays(d.NodeID)
	var ready []*allocation.Chunk
	for i := range d.Days {
		chunk, err := compute(i)
		if err != nil {
			return fmt.Errorf("allocate node %s on %s: %w", d.NodeID, d.Days[i].From, err)
		}
		r.findings.add(chunk.Diagnostics...)
		ready = append(ready, chunk)
		if last := i == len(d.Days)-1; !last && len(ready) < batch && version(i+1) == version(i) {
			continue
		}
		meta := ChunkMeta{Calculation: r.calculation.ID, PolicyVersion: version(i), Mark: r.calculation.Mark}
		err = r.Store.SaveChunks(ctx, ready, meta)
		if _, superseded := errors.AsType[*SupersededError](err); err != nil && !superseded {
			return fmt.Errorf("save node %s up to %s: %w", d.NodeID, d.Days[i].From, err)
		}
		for _, c := range ready {
			done(c)
			chunkRoom.Put(c)
		}
		ready = ready[:0]
	}
	return nil
}

// computer returns the function that computes day i of d; days come in
// ascending order.
func (r *run) computer(ctx context.Context, s *scene, p prices, d DirtyNode) (func(i int) (*allocation.Chunk, error), error) {
	if d.NodeID.IsZero() {
		return func(i int) (*allocation.Chunk, error) {
			in, err := r.Store.Days(ctx, ledger.Node{}, d.Days[i:i+1], 0)
			if err != nil {
				return nil, err
			}
			return allocation.NodelessDay(in[0].Parts, in[0].Finals, d.Days[i], r.policies.At(d.Days[i].From).Settings.Version, s.payer(in[0].Resources))
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
		Evidence: evidence, Placements: s.placements[node.ID], Slices: slices, Host: s.hosts[node.ID],
	}
	engines := map[policy.Policy]*allocation.NodeEngine{} // days of one node may lie under several versions
	facts := dayReader{store: r.Store, node: node, days: d.Days, batch: s.batchDays(node.ID)}
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
		in, err := facts.day(ctx, i, pol.Margin())
		if err != nil {
			return nil, err
		}
		in.CoveredUntil = p.coveredUntil(node)
		in.Rate, in.ListRate = p.rates(node, d.Days[i])
		chunk := chunkRoom.Get().(*allocation.Chunk) //nolint:forcetypeassert // its own
		return chunk, engine.DayInto(chunk, in)
	}, nil
}

// dayReader reads the days of a node several at a time.
type dayReader struct {
	store  AllocationStore
	node   *ledger.Node
	days   []period.Interval
	batch  int // days at once
	from   int // of days: the first one read
	read   []allocation.DayInput
	margin period.Second
}

// day returns the facts of days[i].
func (f *dayReader) day(ctx context.Context, i int, margin period.Second) (allocation.DayInput, error) {
	if i < f.from || i >= f.from+len(f.read) || margin != f.margin {
		// Days far apart are not read as one stretch.
		to := i + 1
		for to < len(f.days) && to-i < f.batch && f.days[to].From == f.days[to-1].To {
			to++
		}
		f.read = nil // free before the next are there
		var err error
		if f.read, err = f.store.Days(ctx, *f.node, f.days[i:to], margin); err != nil {
			return allocation.DayInput{}, err
		}
		f.from, f.margin = i, margin
	}
	in := f.read[i-f.from]
	return in, nil
}
