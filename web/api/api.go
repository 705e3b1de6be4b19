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
		r.MethodFunc(method, "/openapi.json", a.openAPI)
		r.MethodFunc(method, "/api/v1/explain/*",
			a.explained(a.bounds.Questions(http.HandlerFunc(a.explain)), a.bounds.Exports(http.HandlerFunc(a.explain))))
		r.MethodFunc(method, "/api/v1/{dataset}", a.dataset)
		r.Method(method, "/api/v1/statement", a.bounds.Questions(http.HandlerFunc(a.statement)))
	}
	a.changes(r)
	a.views(r)
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
	if req.whole() {
		answer = a.bounds.Exports(answer)
	} else {
		answer = a.bounds.Questions(answer)
	}
	answer.ServeHTTP(w, r)
}

// version is the version of the ledger that the viewer sees. It is quick, unless the database is away.
func (a *API) version(r *http.Request) (metrics.Version, error) {
	ctx, cancel := context.WithTimeout(r.Context(), versionTimeout)
	defer cancel()
	v, err := a.reader.Version(ctx)
	if viewer := access.From(ctx); viewer.Bounded() { // scoped answers differ from whole ones
		v.Tag += "." + viewer.Scope + "." + viewer.Members
	}
	return v, err
}

const versionTimeout = 2 * time.Second

func (a *API) answer(w http.ResponseWriter, r *http.Request, req *request) {
	// The rights are checked before an entity tag can confirm that there is an answer.
	if err := req.query.SeenBy(access.From(r.Context())); err != nil {
		a.fail(w, r, err)
		return
	}
	version, err := a.version(r)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	if req.query.Dataset.Logged {
		version.Tag += "." + strconv.FormatInt(version.Entries, 10)
	}
	if err := req.checkCursor(version); err != nil {
		a.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", req.format.ContentType())
	w.Header().Add("Vary", "Accept")
	if req.format.Binary() || req.format == export.CSV {
		w.Header().Set("Content-Disposition",
			fmt.Sprintf("attachment; filename=%q", req.query.Dataset.Name+"."+string(req.format)))
	}
	tagged := version
	if req.query.Dataset.Expiring {
		tagged.Tag += "." + time.Now().UTC().Format("200601021504") //nolint:forbidigo // changes expire by time
	}
	if a.notModified(w, r, tagged, string(req.format)) || r.Method == http.MethodHead {
		return
	}
	if req.whole() || req.query.Dataset.Expiring {
		a.write(w, r, req, version)
		return
	}
	a.recent.answer(w, r, version.State, func(w http.ResponseWriter, r *http.Request) { a.write(w, r, req, version) })
}

// write answers with rows.
func (a *API) write(w http.ResponseWriter, r *http.Request, req *request, version metrics.Version) {
	rows, err := a.reader.Query(r.Context(), req.sqlQuery())
	if err != nil {
		w.Header().Del("ETag")
		w.Header().Del("Content-Disposition")
		a.fail(w, r, err)
		return
	}
	defer rows.Close()
	out := &countingWriter{ResponseWriter: w}
	_, err = export.Write(out, req.format, rows, export.Options{Dataset: req.query.Dataset.Name, Rows: req.query.Limit, ForExcel: req.forExcel,
		Meta: func(written int, more bool) any { return req.meta(version, metrics.NotesOf(rows), written, more) }})
	a.finish(out, r, err)
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
	version, err := a.version(r)
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
