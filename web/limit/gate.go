package limit

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"sync"
	"time"
)

// gate lets so many in at once.
type gate struct {
	name  string
	slots chan struct{}
}

func newGate(name string, n int) *gate { return &gate{name, make(chan struct{}, n)} }

// enter waits for a turn, but not for long. leave may be called more than once.
func (g *gate) enter(ctx context.Context, wait time.Duration) (leave func(), ok bool) {
	leave = sync.OnceFunc(func() { <-g.slots })
	select {
	case g.slots <- struct{}{}:
		return leave, true
	default:
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case g.slots <- struct{}{}:
		return leave, true
	case <-timer.C:
	case <-ctx.Done():
	}
	return nil, false
}

// answering writes an answer; leave ends its turn early.
type answering func(w http.ResponseWriter, r *http.Request, leave func())

// turn is admit for what asks the database.
func (g *Guard) turn(at *gate, answer answering) http.Handler {
	return g.admit(at, func(w http.ResponseWriter, r *http.Request, leave func()) {
		if err := g.pulse.beats(r.Context()); err != nil {
			leave()
			Refuse(w, r, http.StatusServiceUnavailable, awayAfter, "the database does not answer")
			return
		}
		answer(w, r, leave)
	})
}

// Times after which a client should come again.
const (
	busyAfter = time.Second
	awayAfter = 5 * time.Second
)

// admit lets a request in, or turns it away. Its body is read before: a client
// that sends slowly holds nobody's turn.
func (g *Guard) admit(at *gate, answer answering) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 && takesBody(r.Method) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				refuseBody(w, r, err)
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
		}
		leave, ok := at.enter(r.Context(), g.limits.Wait)
		if !ok {
			Refuse(w, r, http.StatusServiceUnavailable, busyAfter, "too many "+at.name+" at once")
			return
		}
		defer leave()
		answer(w, r, leave)
	})
}

func takesBody(method string) bool {
	return method != http.MethodGet && method != http.MethodHead
}

// pulse asks the database whether it answers, once for all who want to know at
// the same time, and remembers the answer for a moment.
type pulse struct {
	ask func(context.Context) error
	now func() time.Time

	mu    sync.Mutex
	asked chan struct{} // closed when the question under way is answered
	at    time.Time
	err   error
}

const (
	pulseTimeout = 2 * time.Second
	pulseHolds   = 500 * time.Millisecond
)

// beats returns why the database does not answer.
func (p *pulse) beats(ctx context.Context) error {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	if p.now().Sub(p.at) < pulseHolds {
		defer p.mu.Unlock()
		return p.err
	}
	if p.asked == nil {
		p.asked = make(chan struct{})
		go p.feel(context.WithoutCancel(ctx), p.asked)
	}
	asked := p.asked
	p.mu.Unlock()
	select {
	case <-asked:
	case <-ctx.Done():
		return ctx.Err()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

func (p *pulse) feel(ctx context.Context, asked chan struct{}) {
	ctx, cancel := context.WithTimeout(ctx, pulseTimeout)
	defer cancel()
	err := p.ask(ctx)
	p.mu.Lock()
	p.at, p.err, p.asked = p.now(), err, nil
	p.mu.Unlock()
	close(asked)
}
