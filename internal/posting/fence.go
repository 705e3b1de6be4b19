package posting

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Calculation is one pass over marked node-days.
type Calculation struct {
	ID ledger.ID `json:"id"`
	// Mark is the newest mark when the calculation began. All its inputs were read later, so it settles marks up to
	// this one, and those that its own steps set; later marks are left to the next calculation.
	Mark int64 `json:"mark"`
}

// ErrTakenOver reports that a calculation has ended because its planner's heartbeat stopped and another planner took
// over. The calculation writes nothing more.
var ErrTakenOver = errors.New("another calculation took over")

// SupersededError reports that chunks were not saved because another process has computed the node-days since, from
// facts that are as new or newer.
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

// Fenced returns a context for the steps of a calculation: a transaction in it writes nothing and returns
// ErrTakenOver once the calculation has ended.
func Fenced(ctx context.Context, calculation ledger.ID) context.Context {
	return context.WithValue(ctx, fenceKey{}, calculation)
}

// FenceOf returns the calculation that a context is fenced by.
func FenceOf(ctx context.Context) (calculation ledger.ID, ok bool) {
	calculation, ok = ctx.Value(fenceKey{}).(ledger.ID)
	return calculation, ok
}

// signEvery is the interval of a planner's heartbeat.
const signEvery = 2 * time.Second

// keepAlive sends heartbeats until stop; the context that it returns ends if another planner takes over.
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
			// The steps meet any other error themselves.
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
