package limit

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"sync"
	"time"
)

// answering writes an answer; leave ends its turn early.
type answering func(w http.ResponseWriter, r *http.Request, leave func())

// turn is admit for answers that need the database. The wait for a turn and the check of the database have one bound
// together: one after the other, they made a refusal take twice as long.
func (g *Guard) turn(at *turns, answer answering) http.Handler {
	return g.admit(at, func(entry context.Context, w http.ResponseWriter, r *http.Request, leave func()) {
		if err := g.pulse.beats(entry); err != nil {
			leave()
			Refuse(w, r, http.StatusServiceUnavailable, awayAfter, "the database does not answer")
			return
		}
		answer(w, r, leave)
	})
}

// Times after which a client should retry.
const (
	busyAfter = time.Second
	awayAfter = 5 * time.Second
)

// admit waits for a turn and answers, or refuses the request. It reads the body first, so that a client
// that sends slowly does not hold a turn. The answer also gets the context of the entry, which ends when a request must
// have begun to be answered.
func (g *Guard) admit(
	at *turns, answer func(entry context.Context, w http.ResponseWriter, r *http.Request, leave func()),
) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 && takesBody(r.Method) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				refuseBody(w, r, err)
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
		}
		entry, cancel := context.WithTimeout(r.Context(), ofQuestions*g.limits.Wait)
		defer cancel()
		leave := g.enter(w, r, at)
		if leave == nil {
			return
		}
		defer leave()
		answer(entry, w, r, leave)
	})
}

// enter waits for a turn for the client; nil: it has refused the request.
func (g *Guard) enter(w http.ResponseWriter, r *http.Request, at *turns) (leave func()) {
	client := g.client(r)
	leave, ok := at.enter(r.Context(), client, g.limits.Wait)
	switch {
	case ok:
		return leave
	case at.over(client):
		Refuse(w, r, http.StatusServiceUnavailable, busyAfter, "too many "+at.name+" of one client at once")
	default:
		Refuse(w, r, http.StatusServiceUnavailable, busyAfter, "too many "+at.name+" at once")
	}
	return nil
}

func takesBody(method string) bool {
	return method != http.MethodGet && method != http.MethodHead
}

// pulse checks whether the database answers, once for all concurrent
// callers, and keeps the result for pulseHolds.
type pulse struct {
	ask func(context.Context) error
	now func() time.Time

	mu    sync.Mutex
	asked chan struct{} // closed when the running check ends
	at    time.Time
	err   error
}

const (
	pulseTimeout = 2 * time.Second
	pulseHolds   = 500 * time.Millisecond
)

// beats returns an error if the database does not answer.
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
