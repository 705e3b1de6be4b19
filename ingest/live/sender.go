package live

import (
	"crypto/sha256"
	"encoding/hex"
	"net"
	"net/http"
	"strings"
	"time"
)

// sender is the state of one sender. The receiver's lock guards it.
type sender struct {
	name     string
	series   int   // in the table
	requests int   // being served
	bytes    int64 // of those requests
}

// maxSenders bounds how many senders have separate limits; further ones share one.
const maxSenders = 10_000

// senderOf returns the state of a sender. The lock is held.
func (r *Receiver) senderOf(name string) *sender {
	s := r.senders[name]
	if s == nil {
		if len(r.senders) >= maxSenders {
			name = ""
			if s = r.senders[name]; s != nil {
				return s
			}
		}
		s = &sender{name: name}
		r.senders[name] = s
	}
	return s
}

// forgetSenders drops senders without series or requests. The lock is held.
func (r *Receiver) forgetSenders() {
	for name, s := range r.senders {
		if s.series == 0 && s.requests == 0 {
			delete(r.senders, name)
		}
	}
}

// SenderOf names the sender of an HTTP request: by (a hash of) its bearer token, else its
// X-Scope-OrgID, else its host.
func SenderOf(h *http.Request) string {
	if scheme, token, ok := strings.Cut(h.Header.Get("Authorization"), " "); ok && strings.EqualFold(scheme, "bearer") &&
		token != "" {
		sum := sha256.Sum256([]byte(token))
		return "token " + hex.EncodeToString(sum[:8])
	}
	if scope := h.Header.Get("X-Scope-OrgID"); scope != "" {
		return "scope " + scope[:min(len(scope), 100)]
	}
	host, _, err := net.SplitHostPort(h.RemoteAddr)
	if err != nil {
		host = h.RemoteAddr
	}
	return "host " + host
}

// admit admits a request of so many bytes, or returns why not now.
func (r *Receiver) admit(name string, bytes int64) (*sender, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.senderOf(name)
	l := &r.opt.Limits
	switch {
	case r.stopped:
		return nil, &RetryError{http.StatusServiceUnavailable, "the server is stopping", busyAfter, nil}
	case r.opt.Now().Before(r.restUntil):
		return nil, unavailable(nil)
	case s.requests >= l.PerSender:
		return nil, &RetryError{http.StatusTooManyRequests, "too many requests of this sender at once", busyAfter, nil}
	// One sender may never use all the memory: beyond its first request it gets at most half.
	case s.bytes+bytes > l.InFlight/2 && s.bytes > 0:
		return nil, &RetryError{http.StatusTooManyRequests, "too many bytes of this sender at once", busyAfter, nil}
	case r.inFlight+bytes > l.InFlight:
		return nil, &RetryError{http.StatusServiceUnavailable, "too many requests at once", busyAfter, nil}
	case r.held() > l.Pending:
		return nil, &RetryError{http.StatusServiceUnavailable, "too much waits to be stored", retryAfter, nil}
	}
	s.requests++
	s.bytes += bytes
	r.inFlight += bytes
	return s, nil
}

// leave ends what admit began.
func (r *Receiver) leave(s *sender, bytes int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s.requests--
	s.bytes -= bytes
	r.inFlight -= bytes
}

// forgetAfter is the least time for which a silent series is remembered.
const forgetAfter = 30 * time.Minute
