package periods

import (
	"context"
	"time"

	"gpuledger/allocation/policy"
	"gpuledger/internal/confirm"
	"gpuledger/internal/store/book"
)

// Guards implements closing.Requests.
func (b *books) Guards(ctx context.Context, change policy.Guarded, at time.Time) (bool, error) {
	return book.Guards(ctx, b.tx, change, at)
}

// Ask implements closing.Requests.
func (b *books) Ask(ctx context.Context, r confirm.Request) (confirm.Request, error) {
	return book.AskChange(ctx, b.tx, r)
}

// Asked implements closing.Requests. It locks the books before the request, in the same order as a caller that asks.
func (b *books) Asked(ctx context.Context, id string) (*confirm.Request, error) {
	if err := b.lock(ctx); err != nil {
		return nil, err
	}
	return book.AskedChange(ctx, b.tx, id)
}

// Decide implements closing.Requests.
func (b *books) Decide(
	ctx context.Context, r *confirm.Request, state confirm.State, by, note string, at time.Time,
) error {
	return book.DecideChange(ctx, b.tx, r, state, by, note, at)
}

// EndRefused implements closing.Requests.
func (b *books) EndRefused(
	ctx context.Context, r *confirm.Request, refused *confirm.RefusedError, by string, at time.Time,
) error {
	return book.EndRefusedChange(ctx, b.tx, r, refused, by, at)
}
