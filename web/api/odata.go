package api

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/export"
	details "gpuledger/internal/problem"
	"gpuledger/metrics"
	"gpuledger/web/odata"
)

// odataRoot is the address of the service for Excel, Power BI and other clients of OData 4.0.
const odataRoot = "/odata/v4"

// odataPageRows is the longest page. Each page of a dataset that adds up rows adds them up again, so pages are long.
const odataPageRows = 10_000

// odataRoutes adds the routes of OData. The questions are those of REST; package odata translates.
func (a *API) odataRoutes(r chi.Router) {
	r = r.With(odataHeaders)
	r.Get(odataRoot, a.odataService)
	r.Get(odataRoot+"/", a.odataService)
	r.Get(odataRoot+"/$metadata", a.odataMetadata)
	r.Get(odataRoot+"/{dataset}", a.odataSet)
	r.Get(odataRoot+"/{dataset}/$count", a.odataCount)
	r.Get("/odata/*", func(w http.ResponseWriter, r *http.Request) {
		details.OData(w, http.StatusNotFound, "no such address", r.URL.Path+" does not exist; "+odataRoot+
			"/ lists all entity sets, and single entities have no address", "")
	})
}

// odataHeaders sets the version once and in one spelling: Power Query reads two as "4.0,4.0" and stops.
func odataHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Odata-Version", "4.0")
		next.ServeHTTP(w, r)
	})
}

// odataBase is the address of the service as the client reached it: links in answers are absolute.
func odataBase(r *http.Request) string {
	scheme := "http"
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" { // a client that invents it misleads itself alone
		scheme = "https"
	}
	return scheme + "://" + r.Host + odataRoot
}

// odataService lists the entity sets that the viewer may ask.
func (a *API) odataService(w http.ResponseWriter, r *http.Request) {
	params, rep, err := odataRequest(r)
	for name := range params {
		if name != "$format" && err == nil {
			err = unknownParameter(name, params.Get(name), []string{"$format"})
		}
	}
	if err != nil {
		a.odataFail(w, r, err)
		return
	}
	type set struct {
		Name string `json:"name"`
		Kind string `json:"kind"`
		URL  string `json:"url"`
	}
	answer := struct {
		Context string `json:"@odata.context,omitempty"`
		Value   []set  `json:"value"`
	}{Value: []set{}}
	if rep.Level != "none" {
		answer.Context = odataBase(r) + "/$metadata"
	}
	for _, d := range metrics.Datasets {
		if (metrics.Query{Dataset: d}).SeenBy(access.From(r.Context())) == nil {
			answer.Value = append(answer.Value, set{d.Name, "EntitySet", d.Name})
		}
	}
	w.Header().Set("Content-Type", rep.ContentType())
	w.Header().Set("Cache-Control", "private, no-cache")
	if err := writeObject(w, answer); err != nil {
		a.log.DebugContext(r.Context(), "answer not delivered", "path", r.URL.Path, "error", err)
	}
}

// odataMetadata answers the types, which are the same for all viewers.
func (a *API) odataMetadata(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/xml;charset=utf-8")
	w.Header().Set("Cache-Control", "private, no-cache")
	out := &countingWriter{ResponseWriter: w}
	if err := odata.WriteMetadata(out); err != nil {
		a.odataFinish(out, r, err)
	}
}

// odataRequest reads what all requests have.
func odataRequest(r *http.Request) (url.Values, odata.Representation, error) {
	params, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, odata.Representation{}, &metrics.OptionError{Option: "query", Value: r.URL.RawQuery,
			Reason: "is not a valid query string"}
	}
	rep, err := odata.Represent(r, params.Get("$format"))
	return params, rep, err
}

// odataQuestion reads a request for an entity set.
func odataQuestion(r *http.Request) (*odata.Question, odata.Representation, error) {
	params, rep, err := odataRequest(r)
	if err != nil {
		return nil, rep, err
	}
	d, err := metrics.LookupDataset(chi.URLParam(r, "dataset"))
	if err != nil {
		return nil, rep, err
	}
	q, err := odata.Parse(d, params)
	return q, rep, err
}

// odataSet answers a page of an entity set.
func (a *API) odataSet(w http.ResponseWriter, r *http.Request) {
	q, rep, err := odataQuestion(r)
	if err != nil {
		a.odataFail(w, r, err)
		return
	}
	size := odataPageRows
	if asked, ok := maxPageSize(r); ok {
		size = min(size, asked)
		w.Header().Set("Preference-Applied", "odata.maxpagesize="+strconv.Itoa(size))
	}
	size = min(size, q.Top)
	var answer http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.odataPage(w, r, q, rep, size)
	})
	if size > longPageRows || q.Counted {
		answer = a.bounds.Exports(answer)
	} else {
		answer = a.bounds.Questions(answer)
	}
	answer.ServeHTTP(w, r)
}

// maxPageSize reads the preference for the size of pages.
func maxPageSize(r *http.Request) (int, bool) {
	for _, line := range r.Header.Values("Prefer") {
		for preference := range strings.SplitSeq(line, ",") {
			name, value, _ := strings.Cut(strings.TrimSpace(preference), "=")
			if strings.TrimPrefix(strings.ToLower(name), "odata.") != "maxpagesize" {
				continue
			}
			if n, err := strconv.Atoi(strings.Trim(value, `"`)); err == nil && n > 0 {
				return n, true
			}
		}
	}
	return 0, false
}

// odataAdmit checks rights, cursor and period. A filter that chooses a period outside the data has no rows.
func (a *API) odataAdmit(ctx context.Context, q *odata.Question, size int) (*request, error) {
	req := &request{query: q.Query, format: export.JSON, cursor: q.Token, digest: q.Digest}
	req.query.Limit = max(size, 1)
	if q.Token == "" {
		req.query.Offset = q.Skip
	}
	if err := req.place(); err != nil {
		return nil, err
	}
	err := a.admit(ctx, req)
	if _, outside := errors.AsType[*metrics.OutsideError](err); outside && q.Bounded {
		q.Empty, err = true, nil
	}
	return req, err
}

func (a *API) odataPage(w http.ResponseWriter, r *http.Request, q *odata.Question, rep odata.Representation, size int) {
	req, err := a.odataAdmit(r.Context(), q, size)
	if err != nil {
		a.odataFail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", rep.ContentType())
	w.Header()["Vary"] = append(w.Header()["Vary"], "Accept", "Prefer")
	tag := rep.ContentType() + strconv.Itoa(size) + odataBase(r)
	if !req.query.Dataset.Expiring && a.notModified(w, r, req.version, tag) {
		return
	}
	out := &countingWriter{ResponseWriter: w}
	a.odataFinish(out, r, a.odataWrite(r, out, q, rep, req, size))
}

// odataWrite writes a page.
func (a *API) odataWrite(
	r *http.Request, w io.Writer, q *odata.Question, rep odata.Representation, req *request, size int,
) error {
	out := bufio.NewWriterSize(w, 64<<10)
	first := "{"
	if rep.Level != "none" {
		context, err := json.Marshal(odataBase(r) + "/$metadata#" + q.Context)
		if err != nil {
			return err
		}
		first += `"@odata.context":` + string(context) + ","
	}
	if q.Counted {
		n, err := a.odataRows(r.Context(), q)
		if err != nil {
			return err
		}
		first += fmt.Sprintf(`"@odata.count":%d,`, n)
	}
	next := ""
	if _, err := out.WriteString(first + `"value":[`); err != nil {
		return err
	}
	if !q.Empty && size > 0 {
		var err error
		if next, err = a.odataEntities(r, out, q, rep, req, size); err != nil {
			return err
		}
	}
	last := "]"
	if next != "" {
		link, err := json.Marshal(next)
		if err != nil {
			return err
		}
		last += `,"@odata.nextLink":` + string(link)
	}
	if _, err := out.WriteString(last + "}\n"); err != nil {
		return err
	}
	return out.Flush()
}

// odataEntities writes the rows of a page, and returns the address of the next one.
func (a *API) odataEntities(
	r *http.Request, out *bufio.Writer, q *odata.Question, rep odata.Representation, req *request, size int,
) (next string, err error) {
	rows, err := a.reader.Query(r.Context(), req.sqlQuery())
	if err != nil {
		return "", err
	}
	defer rows.Close()
	read := remembered(rows, req.query)
	row, err := odata.NewRow(q, rows.Columns(), rep.Quoted)
	if err != nil {
		return "", err
	}
	n, buf := 0, []byte(nil)
	for ; n < size && read.Next(); n++ {
		buf = buf[:0]
		if n > 0 {
			buf = append(buf, ',')
		}
		if buf, err = row.Append(append(buf, '\n'), read.Values()); err != nil {
			return "", err
		}
		if _, err := out.Write(buf); err != nil {
			return "", err
		}
	}
	if n == size && (q.Top == math.MaxInt || n < q.Top) && rows.Next() {
		next = odataBase(r) + "/" + q.Query.Dataset.Name + "?" + q.Next(*req.next(req.version, read.last), n)
	}
	return next, rows.Err()
}

// odataRows counts the rows of a question without the place in its answer. No figure is looked up that does not choose
// or order rows.
func (a *API) odataRows(ctx context.Context, q *odata.Question) (n int64, err error) {
	if q.Empty {
		return 0, nil
	}
	all := q.Query
	all.Only = []string{odata.RowID}
	rows, err := a.reader.Query(ctx, all)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		n++
	}
	return n, rows.Err()
}

// odataCount answers the number of rows.
func (a *API) odataCount(w http.ResponseWriter, r *http.Request) {
	params, err := url.ParseQuery(r.URL.RawQuery)
	var q *odata.Question
	var d *metrics.Dataset
	if err == nil {
		d, err = metrics.LookupDataset(chi.URLParam(r, "dataset"))
	}
	if err == nil {
		q, err = odata.Parse(d, params)
	}
	if err != nil {
		a.odataFail(w, r, err)
		return
	}
	a.bounds.Exports(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := a.odataAdmit(r.Context(), q, 1)
		var n int64
		if err == nil {
			n, err = a.odataRows(r.Context(), q)
		}
		if err != nil {
			a.odataFail(w, r, err)
			return
		}
		w.Header().Set("Content-Type", "text/plain;charset=utf-8")
		w.Header().Set("Cache-Control", "private, no-cache")
		_, _ = io.WriteString(w, strconv.FormatInt(n, 10)) // a failed write means that the client has gone
	})).ServeHTTP(w, r)
}

// odataFinish is finish for answers of OData.
func (a *API) odataFinish(w *countingWriter, r *http.Request, err error) {
	if err == nil || w.sent > 0 {
		a.finish(w, r, err)
		return
	}
	w.Header().Del("ETag")
	a.odataFail(w.ResponseWriter, r, err)
}

// odataTargets are the query options that report options stand for.
var odataTargets = map[string]string{"filter": "$filter", "order": "$orderby", "limit": "$top", "group-by": "$apply",
	"cursor": "$skiptoken"}

// odataFail answers an error as OData does.
func (a *API) odataFail(w http.ResponseWriter, r *http.Request, err error) {
	if unsupported, ok := errors.AsType[*odata.UnsupportedError](err); ok {
		details.OData(w, http.StatusNotImplemented, "not supported", err.Error(), unsupported.Option)
		return
	}
	if _, ok := errors.AsType[*odata.NotAcceptableError](err); ok {
		details.OData(w, http.StatusNotAcceptable, "not acceptable", err.Error(), "")
		return
	}
	p := a.problemOf(r.Context(), r.URL.Path, err)
	if p == nil { // there is no one to answer
		return
	}
	if p.again != "" {
		w.Header().Set("Retry-After", p.again)
	}
	target := p.Parameter
	if option := odataTargets[target]; option != "" {
		target = option
	}
	details.OData(w, p.Status, p.Title, p.Detail, target)
}
