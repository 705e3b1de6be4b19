package posting

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"gpuledger/allocation"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// chunks recomputes every dirty node-day, together with other processes if there are any and the work is large
// enough. A node is loaded once for all its days and released before the next. Each day without a node is separate
// work.
func (r *run) chunks(ctx context.Context, s *scene, p prices, dirty []DirtyNode) error {
	work, total := spreadOut(dirty)
	var mu sync.Mutex
	add := func(b BatchResult) {
		mu.Lock()
		defer mu.Unlock()
		r.sum.Chunks += b.Chunks
		r.sum.UsageRows += b.UsageRows
		r.sum.Postings += b.Postings
		if r.Progress != nil {
			r.Progress(r.sum.Chunks, total)
		}
	}
	own := saver{store: r.Store, calculation: r.calculation, findings: r.findings, done: func(c *allocation.Chunk) {
		add(BatchResult{Chunks: 1, UsageRows: int64(len(c.Usage)), Postings: int64(len(c.Postings))})
	}}
	shared, err := r.worthSharing(ctx, total)
	if err != nil {
		return err
	}
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(r.workers)
	if shared {
		group.SetLimit(r.workers + 1)
		nodes := slices.DeleteFunc(slices.Clone(work), func(d DirtyNode) bool { return d.NodeID.IsZero() })
		work = slices.DeleteFunc(work, func(d DirtyNode) bool { return !d.NodeID.IsZero() })
		group.Go(func() error {
			return r.Crew.Work(working, r.calculation, r.batches(working, s, p, nodes), func(b BatchResult) {
				r.findings.merge(b.Diagnostics, b.Examples)
				add(b)
			})
		})
	}
	for _, d := range work {
		if working.Err() != nil {
			break
		}
		group.Go(func() error { return r.node(working, s, p, d, &own) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}

// spreadOut turns the days without a node into separate pieces of work.
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

// batchCards is how many card-days are read and written at once, a month at most: it spreads the cost of round trips
// and transactions, and keeps memory small.
const batchCards = 256

// chunkRoom reuses saved chunks for the next ones.
var chunkRoom = sync.Pool{New: func() any { return new(allocation.Chunk) }}

func batchDays(cards int, inMIG bool) int {
	if cards == 0 {
		return 31
	}
	if inMIG {
		cards *= 7
	}
	return min(max(batchCards/cards, 1), 31)
}

// node computes and saves the days of a node, or a day without a node.
func (r *run) node(ctx context.Context, s *scene, p prices, d DirtyNode, to *saver) error {
	if !d.NodeID.IsZero() {
		w, err := r.ratedWork(ctx, s, p, d)
		if err != nil {
			return err
		}
		return to.work(ctx, w)
	}
	compute := r.nodeless(ctx, s, d)
	version := func(i int) string { return r.policies.At(d.Days[i].From).Settings.Version }
	return to.days(ctx, d, batchDays(0, false), version, compute)
}

// computer returns the function that computes day i of d; calls must be in ascending order of days.
func (r *run) computer(
	ctx context.Context, s *scene, p prices, d DirtyNode,
) (func(i int) (*allocation.Chunk, error), error) {
	if d.NodeID.IsZero() {
		return r.nodeless(ctx, s, d), nil
	}
	return r.nodeWork(s, p, d).computer(ctx, r.Store)
}

func (r *run) nodeless(ctx context.Context, s *scene, d DirtyNode) func(i int) (*allocation.Chunk, error) {
	return func(i int) (*allocation.Chunk, error) {
		in, err := r.Store.Days(ctx, ledger.Node{}, d.Days[i:i+1], 0)
		if err != nil {
			return nil, err
		}
		return allocation.NodelessDay(in[0].Parts, in[0].Finals, d.Days[i], r.policies.At(d.Days[i].From).Settings.Version,
			s.payer(in[0].Resources))
	}
}

// saver saves computed chunks, several days of a node at once.
type saver struct {
	store       ChunkStore
	calculation Calculation
	worker      string // empty: the planner
	findings    findings
	done        func(*allocation.Chunk)
}

// work computes and saves the days of a node.
func (v *saver) work(ctx context.Context, w *NodeWork) error {
	compute, err := w.computer(ctx, v.store)
	if err != nil {
		return err
	}
	d := DirtyNode{NodeID: w.NodeID}
	for i := range w.Days {
		d.Days = append(d.Days, w.Days[i].Day)
	}
	version := func(i int) string { return w.Policies[w.Days[i].Policy].Version }
	return v.days(ctx, d, batchDays(w.Input.Node.GPUs, w.InMIG), version, compute)
}

func (v *saver) days(
	ctx context.Context, d DirtyNode, batch int, version func(i int) string,
	compute func(i int) (*allocation.Chunk, error),
) error {
	var ready []*allocation.Chunk
	for i := range d.Days {
		chunk, err := compute(i)
		if err != nil {
			return fmt.Errorf("allocate node %s on %s: %w", d.NodeID, d.Days[i].From, err)
		}
		v.findings.add(chunk.Diagnostics...)
		ready = append(ready, chunk)
		if last := i == len(d.Days)-1; !last && len(ready) < batch && version(i+1) == version(i) {
			continue
		}
		meta := ChunkMeta{
			Calculation: v.calculation.ID, PolicyVersion: version(i), Mark: v.calculation.Mark, Worker: v.worker,
		}
		err = v.store.SaveChunks(ctx, ready, meta)
		if _, superseded := errors.AsType[*SupersededError](err); err != nil && !superseded {
			return fmt.Errorf("save node %s up to %s: %w", d.NodeID, d.Days[i].From, err)
		}
		for _, c := range ready {
			v.done(c)
			chunkRoom.Put(c)
		}
		ready = ready[:0]
	}
	return nil
}

// dayReader reads the days of a node several at a time.
type dayReader struct {
	store  ChunkStore
	node   *ledger.Node
	days   []period.Interval
	batch  int // days at once
	from   int // index of the first day read
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
		f.read = nil // release them before reading the next
		var err error
		if f.read, err = f.store.Days(ctx, *f.node, f.days[i:to], margin); err != nil {
			return allocation.DayInput{}, err
		}
		f.from, f.margin = i, margin
	}
	in := f.read[i-f.from]
	return in, nil
}
