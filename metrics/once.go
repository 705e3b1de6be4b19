package metrics

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"gpuledger/internal/access"
)

// mostKept is how many rows of an answer are kept for equal questions.
const mostKept = 2000

// once are the answers that a page has read so far, by question.
type once struct {
	mu    sync.Mutex
	asked map[string]*reading
}

// reading is an answer on its way. Others may wait for it; they ask themselves if it fails or is too long to keep.
type reading struct {
	done   chan struct{}
	answer *Answer
}

type onceKey struct{}

// AskOnce is a context in which ReadAnswer asks each question once: the parts of a page, such as budgets, events and
// estimates, ask some questions several times, also at the same time.
func AskOnce(ctx context.Context) context.Context {
	return context.WithValue(ctx, onceKey{}, &once{asked: map[string]*reading{}})
}

// identity is the question with its reader: readers of different rights get different answers.
func (q Query) identity(v *access.Viewer) string {
	if v == nil {
		v = &access.Viewer{}
	}
	dataset := q.Dataset
	q.Dataset = nil
	return fmt.Sprintf("%p %#v %#v", dataset, q, *v)
}

// read is the answer that an equal question got before, else what ask reads.
func (o *once) read(ctx context.Context, q Query, ask func() (*Answer, error)) (*Answer, error) {
	id := q.identity(access.From(ctx))
	o.mu.Lock()
	r := o.asked[id]
	first := r == nil
	if first {
		r = &reading{done: make(chan struct{})}
		o.asked[id] = r
	}
	o.mu.Unlock()
	if !first {
		select {
		case <-r.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if r.answer == nil {
			return ask()
		}
		return r.answer.copy(), nil
	}
	defer close(r.done)
	a, err := ask()
	if err == nil && len(a.Rows) <= mostKept {
		r.answer = a.copy()
	}
	return a, err
}

// copy is an answer whose rows the reader may change.
func (a *Answer) copy() *Answer {
	out := &Answer{Columns: a.Columns, Rows: make([][]Value, len(a.Rows))}
	for i, row := range a.Rows {
		out.Rows[i] = slices.Clone(row)
	}
	return out
}
