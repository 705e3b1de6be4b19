package posting

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Calculation is one pass over what was marked.
type Calculation struct {
	ID ledger.ID `json:"id"`
	// Mark is the newest mark when it began. Everything that it computes with was
	// read later, so that it settles marks up to this one, and those that its own
	// steps set; what arrives while it runs is left to the next.
	Mark int64 `json:"mark"`
}

// ErrTakenOver says that a calculation has ended: its planner gave no sign of
// life and another one took over. Nothing more of it is written.
var ErrTakenOver = errors.New("another calculation took over")

// SupersededError says that chunks were not saved because somebody else has
// computed the node-days since, from facts that are as new or newer.
type SupersededError struct {
	NodeID ledger.ID
	Days   []period.Interval
}

// Error implements error.
func (e *SupersededError) Error() string {
	return fmt.Sprintf("%d days of node %s were computed by another process, the first is %s", len(e.Days), e.NodeID,
		e.Days[0].From)
}

type fenceKey struct{}

// Fenced is a context for the steps of a calculation: a transaction in it
// writes nothing and returns ErrTakenOver when the calculation has ended.
func Fenced(ctx context.Context, calculation ledger.ID) context.Context {
	return context.WithValue(ctx, fenceKey{}, calculation)
}

// FenceOf returns the calculation that a context is fenced by.
func FenceOf(ctx context.Context) (calculation ledger.ID, ok bool) {
	calculation, ok = ctx.Value(fenceKey{}).(ledger.ID)
	return calculation, ok
}

// signEvery is how often a planner gives a sign of life.
const signEvery = 2 * time.Second

// keepAlive gives signs of life until stop; the context that it returns ends
// when somebody took over.
func (r *run) keepAlive(ctx context.Context) (alive context.Context, stop func()) {
	alive, end := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(signEvery)
		defer tick.Stop()
		for {
			select {
			case <-alive.Done():
				return
			case <-tick.C:
			}
			// Any other fault is the business of the steps, which meet it too.
			if err := r.Store.KeepCalculation(alive, r.calculation.ID); errors.Is(err, ErrTakenOver) {
				end(ErrTakenOver)
				return
			}
		}
	}()
	return alive, func() {
		end(nil)
		<-done
	}
}
