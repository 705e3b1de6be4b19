package live

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"gpuledger/ingest/remotewrite"
)

// Deadlines of one request.
const (
	bodyTimeout   = 30 * time.Second
	acceptTimeout = 12 * time.Second
)

// Handler answers POST /api/v1/write: remote_write 1.0 and 2.0. The query parameter cluster
// overrides the series' own label.
func (r *Receiver) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		err := r.write(w, q)
		code := status(err)
		r.m.requests.WithLabelValues(strconv.Itoa(code)).Inc()
		if err == nil {
			w.WriteHeader(code)
			return
		}
		r.Fail(w, err)
	})
}

// Fail answers with the status for an error of Accept or ReadBody.
func (r *Receiver) Fail(w http.ResponseWriter, err error) {
	if retry, ok := errors.AsType[*RetryError](err); ok {
		w.Header().Set("Retry-After", strconv.Itoa(int(retry.After/time.Second)))
		if retry.Err != nil {
			if missed, due := r.words.Due(retry.Reason, r.opt.Now()); due {
				r.opt.Log.Warn("requests are refused", "reason", retry.Reason, "error", retry.Err, "more_since_the_last_line",
					missed)
			}
		}
	}
	text := err.Error()
	code := status(err)
	if code == http.StatusInternalServerError {
		r.opt.Log.Error("a request failed", "error", err)
		text = "internal error"
	}
	http.Error(w, strings.ToValidUTF8(text, "?"), code)
}

func (r *Receiver) write(w http.ResponseWriter, q *http.Request) error {
	version, err := remotewrite.Negotiate(q.Header.Get("Content-Type"), q.Header.Get("Content-Encoding"))
	if err != nil {
		return &RefusedError{http.StatusUnsupportedMediaType, "unsupported", err.Error()}
	}
	kind := KindRemoteWrite1
	if version == remotewrite.V2 {
		kind = KindRemoteWrite2
		r.written(w, Result{}) // also for a refused request
	}
	body, err := r.ReadBody(w, q)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(q.Context(), acceptTimeout)
	defer cancel()
	result, err := r.Accept(ctx, Request{
		Kind: kind, Sender: SenderOf(q), Cluster: q.URL.Query().Get("cluster"), Body: body,
	})
	if err != nil {
		return err
	}
	if version == remotewrite.V2 {
		r.written(w, result)
	}
	return result.Err()
}

// written reports the accepted counts.
func (r *Receiver) written(w http.ResponseWriter, result Result) {
	h := w.Header()
	h.Set(remotewrite.HeaderSamples, strconv.Itoa(result.Samples))
	h.Set(remotewrite.HeaderHistograms, strconv.Itoa(result.Histograms))
	h.Set(remotewrite.HeaderExemplars, strconv.Itoa(result.Exemplars))
}

// ReadBody reads the body of a request, within limits of size and time.
func (r *Receiver) ReadBody(w http.ResponseWriter, q *http.Request) ([]byte, error) {
	limit := r.opt.Limits.Body
	tooLarge := &RefusedError{
		http.StatusRequestEntityTooLarge, "body too large",
		"send at most " + strconv.FormatInt(limit, 10) + " bytes per request",
	}
	if q.ContentLength > limit {
		return nil, tooLarge
	}
	// Not every writer supports it: then only the server's limits apply.
	_ = http.NewResponseController(w).SetReadDeadline(r.opt.Now().Add(bodyTimeout))
	var body []byte
	if q.ContentLength > 0 {
		body = make([]byte, 0, min(q.ContentLength, 1<<20)+1)
	}
	body, err := readAll(body, io.LimitReader(q.Body, limit+1))
	switch {
	case err != nil:
		return nil, &RefusedError{http.StatusBadRequest, "body cut off", "the body ended before its length: " + err.Error()}
	case int64(len(body)) > limit:
		return nil, tooLarge
	}
	return body, nil
}

// readAll appends all of in to b.
func readAll(b []byte, in io.Reader) ([]byte, error) {
	if cap(b) == 0 {
		b = make([]byte, 0, 4096)
	}
	for {
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
		n, err := in.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if errors.Is(err, io.EOF) {
			return b, nil
		}
		if err != nil {
			return b, err
		}
	}
}
