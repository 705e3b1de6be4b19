package once

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/problem"
	"gpuledger/web/gate"
)

// Header is the name of the key's header, and Replayed that of the mark of a stored answer.
const (
	Header   = "Idempotency-Key"
	Replayed = "Idempotent-Replayed"
)

const (
	longestKey  = 255
	largestBody = 32 << 20 // of a request; it is hashed before it is answered
	largestKept = 1 << 20  // of an answer
	keepTimeout = 5 * time.Second
	retryAfter  = "1" // seconds
)

// Keeper stores answers.
type Keeper interface {
	// Claim claims the key of an attempt. The answer is that of the first attempt, if it was answered.
	Claim(ctx context.Context, a access.Attempt) (access.Claim, access.KeptAnswer, error)
	// Keep stores the answer to a claimed attempt, and Release gives its key up.
	Keep(ctx context.Context, a access.Attempt, answer access.KeptAnswer) error
	Release(ctx context.Context, a access.Attempt) error
}

// Options configure the middleware.
type Options struct {
	Keeper Keeper
	Now    func() time.Time
	Log    *slog.Logger
	Away   func(error) bool // reports whether an error means that the database is away
}

// Changes is the middleware of all routes of the API.
func Changes(o Options) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get(Header) == "" || !changes(r) {
				next.ServeHTTP(w, r)
				return
			}
			o.once(w, r, next)
		})
	}
}

func changes(r *http.Request) bool {
	switch r.Method {
	case http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
		return strings.HasPrefix(r.URL.Path, "/api/")
	}
	return false
}

func (o *Options) once(w http.ResponseWriter, r *http.Request, next http.Handler) {
	key, err := keyOf(r)
	if err != nil {
		refuse(w, http.StatusBadRequest, "invalid header", err.Error())
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largestBody))
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		refuse(w, http.StatusRequestEntityTooLarge, "too large", "the body is too large")
		return
	} else if err != nil {
		refuse(w, http.StatusBadRequest, "unreadable body", "the body could not be read")
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	a := access.Attempt{Client: clientOf(r), Key: key, Digest: digest(r, body), At: o.Now().Truncate(time.Microsecond)}
	claim, answer, err := o.Keeper.Claim(r.Context(), a)
	switch {
	case err != nil:
		o.broken(w, r, err)
	case claim == access.Answered:
		w.Header().Set(Replayed, "true")
		send(w, answer)
	case claim == access.Running:
		w.Header().Set("Retry-After", retryAfter)
		refuse(w, http.StatusConflict, "still running",
			"the first request with this idempotency key still runs; try again to get its answer")
	case claim == access.Misused:
		refuse(w, http.StatusUnprocessableEntity, "key already used",
			"this idempotency key belongs to a request with another method, address or body; choose a new key")
	default:
		o.answer(w, r, next, a)
	}
}

// answer lets the route answer, and stores the answer before the client reads it.
func (o *Options) answer(w http.ResponseWriter, r *http.Request, next http.Handler, a access.Attempt) {
	held := &held{ResponseWriter: w}
	kept := false
	defer func() { // also if the route panics
		if !kept {
			o.after(r, "release an idempotency key", func(ctx context.Context) error { return o.Keeper.Release(ctx, a) })
		}
	}()
	next.ServeHTTP(held, r)
	if held.passed {
		return
	}
	answer := access.KeptAnswer{Status: held.code(), Type: w.Header().Get("Content-Type"),
		Location: w.Header().Get("Location"), Body: held.body.Bytes()}
	if answer.Status/100 == 2 {
		kept = o.after(r, "store an answer", func(ctx context.Context) error { return o.Keeper.Keep(ctx, a, answer) })
	}
	send(w, answer)
}

// after runs once the answer is known, even if the client has gone.
func (o *Options) after(r *http.Request, what string, do func(context.Context) error) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), keepTimeout)
	defer cancel()
	if err := do(ctx); err != nil {
		o.Log.WarnContext(ctx, "could not "+what, "path", r.URL.Path, "error", err)
		return false
	}
	return true
}

func (o *Options) broken(w http.ResponseWriter, r *http.Request, err error) {
	if o.Away != nil && o.Away(err) {
		w.Header().Set("Retry-After", "5")
		refuse(w, http.StatusServiceUnavailable, "service unavailable", "the database does not answer; try again")
		return
	}
	o.Log.ErrorContext(r.Context(), "request failed", "path", r.URL.Path, "error", err)
	refuse(w, http.StatusInternalServerError, "internal error", "the server's log has the reason")
}

// keyOf reads the key. Quotes, as structured headers have them, do not belong to it.
func keyOf(r *http.Request) (string, error) {
	values := r.Header.Values(Header)
	key := values[0]
	if len(key) > 1 && key[0] == '"' && key[len(key)-1] == '"' {
		key = key[1 : len(key)-1]
	}
	unprintable := strings.ContainsFunc(key, func(c rune) bool { return c <= ' ' || c > '~' })
	if len(values) > 1 || key == "" || len(key) > longestKey || unprintable {
		return "", fmt.Errorf("%s must be one key of 1 to %d printable ASCII characters without blanks", Header, longestKey)
	}
	return key, nil
}

// clientOf is the signed-in user or token, else the operator's token.
func clientOf(r *http.Request) string {
	if v := access.From(r.Context()); v != nil {
		return access.HolderOf(v).Key
	}
	sum := sha256.Sum256([]byte(gate.Bearer(r)))
	return "operator " + hex.EncodeToString(sum[:])
}

func digest(r *http.Request, body []byte) [32]byte {
	h := sha256.New()
	for _, part := range []string{r.Method, r.URL.RequestURI(), r.Header.Get("Content-Type")} {
		_, _ = fmt.Fprintf(h, "%d %s", len(part), part) // a hash takes everything
	}
	_, _ = h.Write(body)
	return [32]byte(h.Sum(nil))
}

// refuse answers a problem (RFC 9457).
func refuse(w http.ResponseWriter, status int, title, detail string) {
	parameter := ""
	if status == http.StatusBadRequest {
		parameter = Header
	}
	problem.Of(w, status, title, detail, parameter)
}

// send answers; a failed write means that the client has gone.
func send(w http.ResponseWriter, a access.KeptAnswer) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	for name, value := range map[string]string{"Content-Type": a.Type, "Location": a.Location} {
		if value != "" {
			h.Set(name, value)
		}
	}
	w.WriteHeader(a.Status)
	if len(a.Body) > 0 {
		_, _ = w.Write(a.Body)
	}
}
