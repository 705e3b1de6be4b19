package limit

import (
	"context"
	"slices"
	"sync"
	"time"
)

// turns are handed out fairly: no client holds more than its share, and a free turn
// goes to the waiting client that holds the fewest.
type turns struct {
	name     string
	share    int // of one client
	patience int // times the wait, for clients with few requests in line

	mu      sync.Mutex
	free    int
	taken   int
	held    map[string]int // by client; clients without a turn are not in it
	waiting []*waiter      // the longest waiting first
}

// waiter waits for a turn of its client.
type waiter struct {
	client string
	turn   chan struct{} // closed, under the lock, when the client gets a turn
}

func newTurns(name string, n, patience int) *turns {
	return &turns{name: name, share: shareOf(n), patience: patience, free: n, held: map[string]int{}}
}

// shareOf is how many of n turns one client may hold: a third, rounded up.
func shareOf(n int) int { return (n + 2) / 3 }

// inFlight is how many turns are taken.
func (t *turns) inFlight() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.taken
}

// over reports whether a client holds its whole share.
func (t *turns) over(client string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.held[client] >= t.share
}

// queued is how many requests of a client may be in line for each turn of its share and still wait with patience.
const queued = 4

// Patience with clients that have few requests in line: a browser may open many tabs at once, and their questions are
// soon answered. An export holds its turn for as long as its reader takes, so waiting longer for one is in vain.
const (
	ofQuestions = 4
	ofExports   = 1
)

// enter waits for a turn, at most for wait, or patience times that. leave may be called more than once.
func (t *turns) enter(ctx context.Context, client string, wait time.Duration) (leave func(), ok bool) {
	w := &waiter{client, make(chan struct{})}
	t.mu.Lock()
	t.waiting = append(t.waiting, w)
	t.handOut()
	if t.inLine(client) <= queued*t.share {
		wait *= time.Duration(t.patience)
	}
	t.mu.Unlock()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-w.turn:
	case <-timer.C:
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := slices.Index(t.waiting, w); i >= 0 {
		t.waiting = slices.Delete(t.waiting, i, i+1)
		return nil, false
	}
	return sync.OnceFunc(func() { t.leave(client) }), true
}

// inLine is how many requests of a client wait. It is called under the lock.
func (t *turns) inLine(client string) (n int) {
	for _, w := range t.waiting {
		if w.client == client {
			n++
		}
	}
	return n
}

func (t *turns) leave(client string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.free++
	t.taken--
	if t.held[client]--; t.held[client] == 0 {
		delete(t.held, client)
	}
	t.handOut()
}

// handOut gives free turns to waiting clients. It is called under the lock.
func (t *turns) handOut() {
	for t.free > 0 {
		next := -1
		for i, w := range t.waiting {
			if t.held[w.client] < t.share && (next < 0 || t.held[w.client] < t.held[t.waiting[next].client]) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		w := t.waiting[next]
		t.waiting = slices.Delete(t.waiting, next, next+1)
		t.free--
		t.taken++
		t.held[w.client]++
		close(w.turn)
	}
}
