package api

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/export"
)

const queriesPath = root + "/queries"

// queries adds the routes of deferred queries, if the server defers any.
func (a *API) queries(r chi.Router) {
	if a.later == nil {
		return
	}
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		r.Method(method, queriesPath, a.takes(http.HandlerFunc(a.listQueries), "limit"))
		r.Method(method, queriesPath+"/{id}", a.takes(http.HandlerFunc(a.query)))
		r.Method(method, queriesPath+"/{id}/result", a.takes(http.HandlerFunc(a.result)))
	}
	r.Method(http.MethodDelete, queriesPath+"/{id}", a.takes(http.HandlerFunc(a.dropQuery)))
}

// deferred reports whether a request prefers to be answered later (RFC 7240).
func deferred(r *http.Request) bool {
	if r.Method != http.MethodGet {
		return false
	}
	for _, line := range r.Header.Values("Prefer") {
		for preference := range strings.SplitSeq(line, ",") {
			name, _, _ := strings.Cut(preference, ";")
			if strings.EqualFold(strings.TrimSpace(name), "respond-async") {
				return true
			}
		}
	}
	return false
}

// queryStatus is a deferred query as the API shows it.
type queryStatus struct {
	ID          string   `json:"id"`
	State       string   `json:"state" one:"waiting running done failed"`
	Dataset     string   `json:"dataset"`
	Question    string   `json:"question"`
	SubmittedAt string   `json:"submitted_at"`
	FinishedAt  *string  `json:"finished_at"`
	ExpiresAt   *string  `json:"expires_at"`
	Bytes       int64    `json:"bytes"`
	Result      *string  `json:"result"`  // address of the answer
	Problem     *problem `json:"problem"` // why there is none
}

type queryList struct {
	Data []queryStatus `json:"data"`
}

// status is called under the lock.
func (q *query) status(age time.Duration) queryStatus {
	s := queryStatus{
		ID: q.id, State: q.state, Dataset: q.dataset, Question: q.address, Bytes: q.size, Problem: q.fault,
		SubmittedAt: q.asked.UTC().Format(time.RFC3339),
	}
	if !q.ended.IsZero() {
		ended, expires := q.ended.UTC().Format(time.RFC3339), q.ended.Add(age).UTC().Format(time.RFC3339)
		s.FinishedAt, s.ExpiresAt = &ended, &expires
	}
	if q.state == stateDone {
		result := queriesPath + "/" + q.id + "/result"
		s.Result = &result
	}
	return s
}

// submit defers a question. What can be refused at once is refused at once.
func (a *API) submit(w http.ResponseWriter, r *http.Request, req *request) {
	if err := a.admit(r.Context(), req); err != nil {
		a.fail(w, r, err)
		return
	}
	l := a.later
	viewer := access.From(r.Context())
	ctx, stop := context.WithCancel(access.As(l.ctx, viewer)) //nolint:contextcheck // it outlives the request
	q := &query{
		id: newID(), asker: askerOf(viewer), address: r.URL.RequestURI(), req: req, state: stateWaiting,
		asked: l.now(), stop: stop, dataset: req.query.Dataset.Name, contentType: req.format.ContentType(),
		fileName: req.fileName(), disposed: req.format.Binary() || req.format == export.CSV,
	}
	if err := l.add(q); err != nil {
		stop()
		a.fail(w, r, err)
		return
	}
	l.mu.Lock()
	status := q.status(l.Age)
	l.mu.Unlock()
	go a.run(ctx, q) //nolint:contextcheck // it outlives the request
	w.Header().Set("Location", queriesPath+"/"+q.id)
	w.Header().Set("Preference-Applied", "respond-async")
	w.Header().Set("Retry-After", pollAfter)
	a.object(w, r, http.StatusAccepted, status)
}

// pollAfter is when to look at a query again, in seconds.
const pollAfter = "1"

func (a *API) listQueries(w http.ResponseWriter, r *http.Request) {
	most, err := mostOf(r)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	l, list := a.later, queryList{Data: []queryStatus{}}
	l.mu.Lock()
	mine := l.of(askerOf(access.From(r.Context())))
	for _, q := range mine[:min(most, len(mine))] {
		list.Data = append(list.Data, q.status(l.Age))
	}
	l.mu.Unlock()
	a.object(w, r, http.StatusOK, list)
}

// query answers the state of a query.
func (a *API) query(w http.ResponseWriter, r *http.Request) {
	a.later.mu.Lock()
	q, err := a.later.find(chi.URLParam(r, "id"), askerOf(access.From(r.Context())))
	var status queryStatus
	if err == nil {
		status = q.status(a.later.Age)
	}
	a.later.mu.Unlock()
	if err != nil {
		a.fail(w, r, err)
		return
	}
	if status.FinishedAt == nil {
		w.Header().Set("Retry-After", pollAfter)
	}
	a.object(w, r, http.StatusOK, status)
}

// result sends the answer. Clients may ask for ranges of it, as readers of Parquet do.
func (a *API) result(w http.ResponseWriter, r *http.Request) {
	l := a.later
	l.mu.Lock()
	q, err := l.find(chi.URLParam(r, "id"), askerOf(access.From(r.Context())))
	var file *io.SectionReader
	switch {
	case err != nil:
	case q.state == stateFailed:
		err = &noAnswerError{"the query has failed; its state says why"}
	case q.state != stateDone:
		err = &noAnswerError{"the query is not answered yet; ask for its state until it is done"}
	default:
		q.reading++
		file = io.NewSectionReader(q.file, 0, q.size)
	}
	l.mu.Unlock()
	if err != nil {
		a.fail(w, r, err)
		return
	}
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		q.reading--
		l.free(q)
	}()
	h := w.Header()
	h.Set("Content-Type", q.contentType)
	h.Set("Cache-Control", "private, no-cache")
	h.Set("ETag", q.tag)
	q.req.noted(h, access.From(r.Context()))
	if q.disposed {
		h.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", q.fileName))
	}
	http.ServeContent(&ranged{ResponseWriter: w, outside: func(w http.ResponseWriter) {
		a.problem(w, r, problem{Title: "range not satisfiable", Status: http.StatusRequestedRangeNotSatisfiable,
			Detail: fmt.Sprintf("the answer has %d bytes; ask for a range within them, such as Range: bytes=0-%d",
				file.Size(), max(file.Size()-1, 0))})
	}}, r, "", q.ended, file)
}

// ranged answers a range outside the content with a problem instead of the plain text of net/http.
type ranged struct {
	http.ResponseWriter
	outside func(http.ResponseWriter)
	refused bool
}

// WriteHeader implements http.ResponseWriter.
func (w *ranged) WriteHeader(status int) {
	if status != http.StatusRequestedRangeNotSatisfiable {
		w.ResponseWriter.WriteHeader(status)
		return
	}
	w.refused = true
	w.outside(w.ResponseWriter)
}

// Write implements http.ResponseWriter.
func (w *ranged) Write(p []byte) (int, error) {
	if w.refused {
		return len(p), nil // the text that the problem replaces
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap lets routes set deadlines.
func (w *ranged) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (a *API) dropQuery(w http.ResponseWriter, r *http.Request) {
	l := a.later
	l.mu.Lock()
	q, err := l.find(chi.URLParam(r, "id"), askerOf(access.From(r.Context())))
	if err == nil {
		l.drop(q)
	}
	l.mu.Unlock()
	if err != nil {
		a.fail(w, r, err)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusNoContent)
}

// noAnswerError answers the result of a query that has none.
type noAnswerError struct{ reason string }

// Error implements error.
func (e *noAnswerError) Error() string { return e.reason }
