package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/export"
	"gpuledger/internal/seldom"
	"gpuledger/metrics"
	"gpuledger/web/operate"
)

// Reader is the ledger as the API reads it.
type Reader interface {
	// Query answers a report; the caller closes the rows.
	Query(ctx context.Context, q metrics.Query) (metrics.Rows, error)
	// Explain explains a subject that metrics.ParseSubject accepts. It returns a
	// *metrics.NotFoundError if the ledger does not have it.
	Explain(ctx context.Context, subject string) (*metrics.Explanation, error)
	// WriteWhole streams the explanation as JSON, with all postings
	// of a figure.
	WriteWhole(ctx context.Context, w io.Writer, subject string) error
	// Conditions are those of a viewer's scope; none if the viewer sees everything.
	Conditions(ctx context.Context, v *access.Viewer) ([]string, error)
	// Version changes whenever answers may change.
	Version(ctx context.Context) (metrics.Version, error)
	// Window is the time for which a dataset has data that the viewer may see.
	Window(ctx context.Context, d *metrics.Dataset) (metrics.DataWindow, error)
}

// API serves the datasets.
type API struct {
	reader Reader
	log    *slog.Logger
	desk   operate.Desk
	bounds Bounds
	away   func(error) bool
	words  *seldom.Words
	recent recent

	windows windows
	later   *later // nil: every question is answered at once
}

// Bounds limit how many requests are answered at once.
type Bounds interface {
	// Questions bounds answers of a bounded size.
	Questions(http.Handler) http.Handler
	// Exports bounds answers that are streamed.
	Exports(http.Handler) http.Handler
}

type unbounded struct{}

func (unbounded) Questions(h http.Handler) http.Handler { return h }
func (unbounded) Exports(h http.Handler) http.Handler   { return h }

// New returns an API that answers from reader.
func New(reader Reader, log *slog.Logger) *API {
	return &API{
		reader: reader, log: log, bounds: unbounded{},
		away: func(error) bool { return false }, words: seldom.New(time.Minute),
	}
}

// Bounded sets the bounds of answers. away reports whether an error means that the
// database is away.
func (a *API) Bounded(bounds Bounds, away func(error) bool) *API {
	a.bounds, a.away = bounds, away
	return a
}

// Operated lets operators change the books at desk.
func (a *API) Operated(desk operate.Desk) *API {
	a.desk = desk
	return a
}

// Routes adds the API's routes.
func (a *API) Routes(r chi.Router) {
	read := r.With(compressed)
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		r := read
		r.Method(method, "/openapi.json", a.takes(http.HandlerFunc(a.openAPI)))
		r.MethodFunc(method, "/api/v1/explain/*",
			a.explained(a.bounds.Questions(http.HandlerFunc(a.explain)), a.bounds.Exports(http.HandlerFunc(a.explain))))
		r.MethodFunc(method, "/api/v1/{dataset}", a.dataset)
		r.Method(method, mappingPath, a.takes(a.bounds.Questions(http.HandlerFunc(a.mapping))))
		r.Method(method, "/api/v1/statement", a.bounds.Questions(http.HandlerFunc(a.statement)))
	}
	a.odataRoutes(read)
	a.changes(r)
	a.views(r)
	a.queries(r)
	r.HandleFunc(anywhere, a.nowhere(r))
}

// dataset answers GET /api/v1/{dataset}.
func (a *API) dataset(w http.ResponseWriter, r *http.Request) {
	req, err := parseRequest(chi.URLParam(r, "dataset"), r)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	answer := http.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { a.answer(w, r, req) }))
	switch {
	case a.later != nil && deferred(r):
		answer = a.bounds.Questions(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { a.submit(w, r, req) }))
	case req.whole():
		answer = a.bounds.Exports(answer)
	default:
		answer = a.bounds.Questions(answer)
	}
	answer.ServeHTTP(w, r)
}

// version is the version of the ledger that the viewer sees. It is quick, unless the database is away.
func (a *API) version(ctx context.Context) (metrics.Version, error) {
	ctx, cancel := context.WithTimeout(ctx, versionTimeout)
	defer cancel()
	v, err := a.reader.Version(ctx)
	if viewer := access.From(ctx); viewer.Bounded() { // scoped answers differ from whole ones
		v.Tag += "." + viewer.Scope + "." + viewer.Members
	}
	return v, err
}

const versionTimeout = 2 * time.Second

func (a *API) answer(w http.ResponseWriter, r *http.Request, req *request) {
	if err := a.admit(r.Context(), req); err != nil {
		a.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", req.format.ContentType())
	w.Header().Add("Vary", "Accept")
	if req.data.Any {
		w.Header().Set(windowHeader, windowText(req.data))
	}
	req.noted(w.Header(), access.From(r.Context()))
	if req.format.Binary() || req.format == export.CSV {
		w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", req.fileName()))
	}
	tagged := req.version
	if req.query.Dataset.Expiring {
		tagged.Tag += "." + time.Now().UTC().Format("200601021504") //nolint:forbidigo // changes expire by time
	}
	if a.notModified(w, r, tagged, string(req.format)) || r.Method == http.MethodHead {
		return
	}
	stream := func(w http.ResponseWriter, r *http.Request) {
		out := &countingWriter{ResponseWriter: w}
		a.finish(out, r, a.write(r.Context(), out, req))
	}
	if req.whole() || req.query.Dataset.Expiring {
		stream(w, r)
		return
	}
	a.recent.answer(w, r, req.version.State, stream)
}

// admit checks the rights to a question, its cursor and its period, and sets the version of the ledger that answers it.
func (a *API) admit(ctx context.Context, req *request) (err error) {
	// The rights are checked before an entity tag can confirm that there is an answer.
	if err := req.query.SeenBy(access.From(ctx)); err != nil {
		return err
	}
	if req.version, err = a.version(ctx); err != nil {
		return err
	}
	if req.query.Dataset.Logged {
		req.version.Tag += "." + strconv.FormatInt(req.version.Entries, 10)
	}
	if err := req.checkCursor(req.version); err != nil {
		return err
	}
	if req.format == export.JSON || bounded(req.query.Window) {
		if req.data, err = a.window(ctx, req.query.Dataset, req.version); err != nil {
			return err
		}
	}
	return req.query.Within(req.data)
}

// write answers an admitted question.
func (a *API) write(ctx context.Context, out io.Writer, req *request) error {
	rows, err := a.reader.Query(ctx, req.sqlQuery())
	if err != nil {
		return err
	}
	defer rows.Close()
	read := remembered(rows, req.query)
	_, err = export.Write(out, req.format, read, export.Options{Dataset: req.query.Dataset.Name, Rows: req.query.Limit,
		ForExcel: req.forExcel,
		Meta:     func(written int, more bool) any { return req.meta(metrics.NotesOf(rows), read, written, more) }})
	return err
}

// listed reads and removes the parameter list of an explanation, which must be all or absent.
func listed(v url.Values) (all bool, err error) {
	text := v.Get("list")
	if v.Has("list") && text != "all" {
		return false, &metrics.OptionError{Option: "list", Value: text, Reason: "must be all or absent"}
	}
	v.Del("list")
	return text == "all", nil
}

// explained bounds an explanation like a question, or like an export if it lists all
// postings.
func (a *API) explained(question, export http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Has("list") {
			export.ServeHTTP(w, r)
			return
		}
		question.ServeHTTP(w, r)
	}
}

// explain answers GET /api/v1/explain/run/ID and the like.
func (a *API) explain(w http.ResponseWriter, r *http.Request) {
	subject := strings.TrimPrefix(r.URL.Path, "/api/v1/explain/") // unescaped, also if a slash is written as %2F
	query := r.URL.RawQuery
	all := false
	if query != "" {
		options := r.URL.Query()
		if !metrics.TakesOptions(subject) {
			for name := range options {
				a.fail(w, r, &metrics.OptionError{
					Option: name, Reason: "only explanations of costs, owners, spot and figures of datasets take the options of a report",
				})
				return
			}
		}
		if options.Has("list") {
			var err error
			if all, err = listed(options); err != nil {
				a.fail(w, r, err)
				return
			}
			query = options.Encode()
		}
		subject = strings.TrimSuffix(subject+"?"+query, "?")
	}
	version, err := a.version(r.Context())
	if err != nil {
		a.fail(w, r, err)
		return
	}
	out := &countingWriter{ResponseWriter: w}
	var e *metrics.Explanation
	if !all {
		if e, err = a.reader.Explain(r.Context(), subject); err != nil {
			a.fail(w, r, err)
			return
		}
	}
	w.Header().Set("Content-Type", "application/json")
	if a.notModified(w, r, version, "json") || r.Method == http.MethodHead {
		return
	}
	if all {
		a.finish(out, r, a.reader.WriteWhole(r.Context(), out, subject))
		return
	}
	a.finish(out, r, writeObject(out, e))
}

// notModified sets the entity tag and answers a conditional request.
func (a *API) notModified(w http.ResponseWriter, r *http.Request, v metrics.Version, format string) bool {
	sum := sha256.Sum256([]byte(strings.Join([]string{v.Tag, v.Policy, format, r.URL.Path, r.URL.Query().Encode()},
		"\x00")))
	tag := `"` + hex.EncodeToString(sum[:12]) + `"`
	if compressible(w.Header().Get("Content-Type")) { // the same answer may have other bytes
		w.Header().Set("ETag", "W/"+tag)
	} else {
		w.Header().Set("ETag", tag)
	}
	w.Header().Set("Cache-Control", "private, no-cache")
	for have := range strings.SplitSeq(r.Header.Get("If-None-Match"), ",") {
		if have = strings.TrimPrefix(strings.TrimSpace(have), "W/"); have == tag || have == "*" {
			w.Header().Del("Content-Type")
			w.WriteHeader(http.StatusNotModified)
			return true
		}
	}
	return false
}

// finish reports an error of a streamed answer: as a problem if nothing
// was sent yet, else by aborting the connection.
func (a *API) finish(w *countingWriter, r *http.Request, err error) {
	switch {
	case err == nil:
	case w.sent == 0:
		w.Header().Del("ETag")
		w.Header().Del("Content-Disposition")
		a.fail(w.ResponseWriter, r, err)
	default:
		if !errors.Is(r.Context().Err(), context.Canceled) {
			a.log.ErrorContext(r.Context(), "answer aborted", "path", r.URL.Path, "error", err)
		}
		panic(http.ErrAbortHandler) // net/http's way to abort a response
	}
}

type countingWriter struct {
	http.ResponseWriter
	sent int64
}

func (w *countingWriter) Write(p []byte) (int, error) {
	n, err := w.ResponseWriter.Write(p)
	w.sent += int64(n)
	return n, err
}
