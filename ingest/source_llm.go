package ingest

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"gpuledger/ingest/llmusage"
	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
)

// errEnough stops reading calls that the consumer no longer takes.
var errEnough = errors.New("enough")

// llmProgress is the number of calls between progress reports.
const llmProgress = 4096

// llmUsage imports calls through LLM gateways. They are read and stored one
// by one, in one transaction.
func (r *run) llmUsage(ctx context.Context) error {
	r.phase("read")
	var opt llmusage.Options
	if r.req.UserKey != nil {
		key, err := r.req.UserKey()
		if err != nil {
			return fmt.Errorf("key under which users are hashed: %w", err)
		}
		opt.UserKey = key
	}
	broken := false
	calls := r.calls(ctx, opt, &broken)
	fresh, err := r.im.Store.PublishLLMCalls(ctx, r.rec.ID, calls)
	switch {
	case broken:
		return errRejected
	case err != nil:
		return fmt.Errorf("publish calls: %w", err)
	}
	if err := r.nothing(); err != nil {
		return err
	}
	if r.rec.State = ImportPublished; fresh == 0 {
		r.rec.State = ImportUnchanged
	}
	r.tally.Note("call known before", r.rec.Accepted-fresh)
	return nil
}

// calls yields the calls of all files. A refused file is an error of the sequence, so that
// nothing is published.
func (r *run) calls(ctx context.Context, opt llmusage.Options, broken *bool) iter.Seq2[*ledger.LLMCall, error] {
	return func(yield func(*ledger.LLMCall, error) bool) {
		for _, f := range r.files {
			var since int64
			var read ledger.Reading
			err := r.open(f.File, func(in *blob.Reader) (err error) {
				read, err = llmusage.Parse(ctx, in, f.Name, opt, func(c *ledger.LLMCall) error {
					if since++; since == llmProgress {
						r.rowsDone(since)
						since = 0
					}
					if !yield(c, nil) {
						return errEnough
					}
					return nil
				})
				return err
			})
			r.rowsDone(since)
			r.rec.RowsRead += read.Rows
			r.rec.Accepted += read.Accepted
			r.tally.Merge(&read.Tally)
			switch {
			case errors.Is(err, errEnough):
				return
			case err != nil:
				if err = r.refuse(f.Name, err); err == nil {
					*broken = true
					err = errRejected
				}
				yield(nil, err)
				return
			}
			r.fileDone(f.File)
		}
	}
}
