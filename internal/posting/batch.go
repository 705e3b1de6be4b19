package posting

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"

	"gpuledger/allocation"
	"gpuledger/internal/ledger"
)

// Crew is the other processes that help with a calculation.
type Crew interface {
	// Others reports whether other processes are available now.
	Others(ctx context.Context) (bool, error)
	// Work offers batches to others, computes batches too, and returns when all are done. It passes each result to
	// done once, one call at a time.
	Work(ctx context.Context, c Calculation, batches iter.Seq2[Batch, error], done func(BatchResult)) error
}

// Batch is a set of node-days that one process computes.
type Batch struct {
	NodeDays int
	Work     []byte // input of WorkBatch
}

// TakenBatch is a batch that a worker has taken.
type TakenBatch struct {
	Calculation // its id and mark
	Number      int
	Work        []byte // input of WorkBatch
}

// BatchResult is the result of a batch.
type BatchResult struct {
	Chunks      int                 `json:"chunks"`
	UsageRows   int64               `json:"usage_rows"`
	Postings    int64               `json:"postings"`
	Diagnostics map[string]int64    `json:"diagnostics,omitempty"`
	Examples    map[string][]string `json:"examples,omitempty"`
}

// Bounds of batches, in node-days.
const (
	worthOfSharing = 256 // fewer are finished before others notice them
	batchesAtLeast = 64  // keeps the wait for the last batch short
	batchAtMost    = 128 // limits repeated work if a process dies
)

// worthSharing reports whether to share node-days with other processes.
func (r *run) worthSharing(ctx context.Context, nodeDays int) (bool, error) {
	if r.Crew == nil || nodeDays < cmp.Or(r.ShareFrom, worthOfSharing) {
		return false, nil
	}
	others, err := r.Crew.Others(ctx)
	if err != nil {
		return false, fmt.Errorf("look for other workers: %w", err)
	}
	return others, nil
}

// batches packs the work of nodes; a node is never split.
func (r *run) batches(ctx context.Context, s *scene, p prices, nodes []DirtyNode) iter.Seq2[Batch, error] {
	total := 0
	for i := range nodes {
		total += len(nodes[i].Days)
	}
	size := min(max(total/batchesAtLeast, 1), batchAtMost)
	return func(yield func(Batch, error) bool) {
		var list []*NodeWork
		days := 0
		for i := range nodes {
			w, err := r.ratedWork(ctx, s, p, nodes[i])
			if err != nil {
				yield(Batch{}, err)
				return
			}
			w.Input.Attempts = ownSegments(w.Input)
			list = append(list, w)
			days += len(w.Days)
			if days < size && i < len(nodes)-1 {
				continue
			}
			packed, err := packWork(list)
			if !yield(Batch{NodeDays: days, Work: packed}, err) || err != nil {
				return
			}
			list, days = list[:0], 0
		}
	}
}

// ownSegments leaves out of attempts their segments on other nodes, which would make large gangs repeat on each node.
func ownSegments(in allocation.NodeInput) []ledger.Attempt {
	own := make(map[ledger.ID]bool, len(in.Workloads))
	for i := range in.Workloads {
		own[in.Workloads[i].ID] = true
	}
	out := slices.Clone(in.Attempts)
	for i := range out {
		var kept []ledger.Segment
		for _, g := range out[i].Segments {
			if own[g.Workload] {
				kept = append(kept, g)
			}
		}
		out[i].Segments = kept
	}
	return out
}

// packers are created once: EncodeAll and DecodeAll are safe for concurrent use.
var packers = sync.OnceValues(func() (p struct {
	*zstd.Encoder
	*zstd.Decoder
}, err error) {
	var errs [2]error
	p.Encoder, errs[0] = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	p.Decoder, errs[1] = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxWork))
	return p, errors.Join(errs[:]...)
})

// maxWork bounds the unpacked size of a batch, in bytes.
const maxWork = 1 << 30

func packWork(list []*NodeWork) ([]byte, error) {
	p, err := packers()
	if err != nil {
		return nil, fmt.Errorf("pack work: %w", err)
	}
	text, err := json.Marshal(list)
	if err != nil {
		return nil, fmt.Errorf("pack work: %w", err)
	}
	return p.EncodeAll(text, nil), nil
}

func unpackWork(packed []byte) (list []*NodeWork, err error) {
	p, err := packers()
	if err != nil {
		return nil, fmt.Errorf("unpack work: %w", err)
	}
	text, err := p.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("unpack work: %w", err)
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("unpack work: %w", err)
	}
	for _, w := range list {
		for i := range w.Days {
			if k := w.Days[i].Policy; k < 0 || k >= len(w.Policies) {
				return nil, fmt.Errorf("unpack work: node %s has no policy %d", w.NodeID, k)
			}
		}
	}
	return list, nil
}

// WorkBatch computes and saves a batch of another process's calculation. Node-days that another process has computed
// since count as done, so a batch that was begun before still reports all its node-days.
func WorkBatch(ctx context.Context, store ChunkStore, c Calculation, worker string, work []byte) (BatchResult, error) {
	list, err := unpackWork(work)
	if err != nil {
		return BatchResult{}, err
	}
	var b BatchResult
	v := saver{store: store, calculation: c, worker: worker, findings: newFindings(), done: func(k *allocation.Chunk) {
		b.Chunks++
		b.UsageRows += int64(len(k.Usage))
		b.Postings += int64(len(k.Postings))
	}}
	for _, w := range list {
		if err := v.work(ctx, w); err != nil {
			return BatchResult{}, err
		}
	}
	b.Diagnostics, b.Examples = v.findings.result()
	return b, nil
}
