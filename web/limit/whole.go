package limit

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/problem"
)

// Whole wraps the whole server: it bounds the time and size of
// bodies and the time that an answer may go unread, and counts refusals.
func (g *Guard) Whole(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := &answer{ResponseWriter: w, control: http.NewResponseController(w), guard: g}
		g.working.Add(1)
		defer g.working.Done()
		a.extend()
		g.bound(a, r)
		began := g.now()
		defer func() {
			a.extend() // the server sends its buffer after the handler
			g.took(a.status, r, g.now().Sub(began))
			g.count(a, r)
		}()
		next.ServeHTTP(a, r)
	})
}

// bound limits a request's body. The read deadline is removed at the end of the body: the
// server reads on in the background, and would take an expired deadline for a client that has gone.
func (g *Guard) bound(a *answer, r *http.Request) {
	if r.ContentLength == 0 {
		return
	}
	_ = a.control.SetReadDeadline(g.now().Add(g.limits.Body))
	if !takesBody(r.Method) {
		a.Header().Set("Connection", "close") // the body is not read, so do not wait for it
	}
	in := r.Body
	if !g.own[r.URL.Path] {
		in = http.MaxBytesReader(a, r.Body, g.limits.BodyBytes)
	}
	r.Body = &body{in, a.control}
}

// body removes the read deadline at its end.
type body struct {
	io.ReadCloser
	control *http.ResponseController
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		_ = b.control.SetReadDeadline(time.Time{})
	}
	return n, err
}

// answer extends the write deadline with each block, so that a client that
// reads nothing is cut off, but a slow one is not.
type answer struct {
	http.ResponseWriter
	control *http.ResponseController
	guard   *Guard
	status  int
	reason  string // why a limit refused it; empty otherwise
}

// block is the most bytes sent under one deadline.
const block = 64 << 10

func (a *answer) extend() { _ = a.control.SetWriteDeadline(a.guard.now().Add(a.guard.limits.Stall)) }

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) {
	if a.status == 0 && status >= http.StatusOK {
		a.status = status
	}
	a.extend()
	a.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (a *answer) Write(p []byte) (n int, err error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	for {
		part := p[n:min(len(p), n+block)]
		a.extend()
		m, err := a.ResponseWriter.Write(part)
		n += m
		if err != nil || n == len(p) {
			return n, err
		}
	}
}

// Flush implements http.Flusher: pages send their head before their panels.
func (a *answer) Flush() {
	a.extend()
	_ = a.control.Flush() // a failed one means that the client has gone
}

// Unwrap lets handlers set their own deadlines.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// Refuse refuses a request. after is when to retry; 0: do not retry.
// Reasons must be constants, because they are labels of a metric.
func Refuse(w http.ResponseWriter, r *http.Request, status int, after time.Duration, reason string) {
	for at := w; at != nil; {
		if a, ok := at.(*answer); ok {
			a.reason = reason
			break
		}
		unwrapper, ok := at.(interface{ Unwrap() http.ResponseWriter })
		if !ok {
			break
		}
		at = unwrapper.Unwrap()
	}
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	if after > 0 {
		h.Set("Retry-After", strconv.Itoa(int(after/time.Second)))
	}
	if !strings.HasPrefix(r.URL.Path, "/api/") && !strings.HasPrefix(r.URL.Path, "/odata/") {
		http.Error(w, reason, status)
		return
	}
	problem.Answer(w, r, status, strings.ToLower(http.StatusText(status)), reason)
}

// refuseBody answers a body that could not be read.
func refuseBody(w http.ResponseWriter, r *http.Request, err error) {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		Refuse(w, r, http.StatusRequestEntityTooLarge, 0, "the body is too large")
	case errors.Is(err, os.ErrDeadlineExceeded):
		w.Header().Set("Connection", "close")
		Refuse(w, r, http.StatusRequestTimeout, 0, "the body did not come in time")
	default:
		Refuse(w, r, http.StatusBadRequest, 0, "the body ended before its length")
	}
}

// count counts a refusal and logs it, once a minute per route and reason. Internal
// errors are logged where they occur.
func (g *Guard) count(a *answer, r *http.Request) {
	if a.status < http.StatusBadRequest {
		return
	}
	route := "none"
	if c := chi.RouteContext(r.Context()); c != nil && c.RoutePattern() != "" {
		route = c.RoutePattern()
	}
	reason := a.reason
	if reason == "" {
		reason = strings.ToLower(http.StatusText(a.status))
	}
	g.turnedAway(route, a.status, reason) //nolint:contextcheck // a log line outlives its request
}

func (g *Guard) turnedAway(route string, status int, reason string) {
	g.refused.WithLabelValues(route, reason).Inc()
	if status == http.StatusInternalServerError {
		return
	}
	missed, due := g.words.Due(route+"\x00"+reason, g.now())
	if !due {
		return
	}
	level := slog.LevelInfo
	if status > http.StatusInternalServerError || status == http.StatusTooManyRequests {
		level = slog.LevelWarn
	}
	g.log.LogAttrs(context.Background(), level, "a request is refused", slog.String("route", route),
		slog.Int("status", status),
		slog.String("reason", reason), slog.Int("more_since_the_last_line", missed))
}
