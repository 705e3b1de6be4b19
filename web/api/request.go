package api

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/export"
	"gpuledger/internal/nearest"
	"gpuledger/metrics"
)

const (
	// pageRows is the page of JSON answers without a limit.
	pageRows = 100
	// longPageRows is the longest page that counts as a question; longer ones are exports.
	longPageRows = 1000
	// maxPageRows bounds a page of JSON; the other formats stream all rows.
	maxPageRows = 100_000
)

// request is a parsed GET /api/v1/{dataset}.
type request struct {
	query    metrics.Query
	format   export.Format
	forExcel bool // of csv
	cursor   string
	digest   string // of all parameters but the cursor
	issued   string // the version for which the cursor was issued
	version  metrics.Version
	data     metrics.DataWindow
}

func parseRequest(dataset string, r *http.Request) (*request, error) {
	params, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, &metrics.OptionError{Option: "query", Value: r.URL.RawQuery, Reason: "is not a valid query string"}
	}
	d, err := metrics.LookupDataset(dataset)
	if err != nil {
		return nil, err
	}
	req := &request{}
	var o metrics.Options
	for _, name := range slices.Sorted(maps.Keys(params)) {
		values := params[name]
		if len(values) > 1 {
			return nil, &metrics.OptionError{Option: name, Value: strings.Join(values, ", "), Reason: "is given more than once"}
		}
		if err := req.set(&o, d, name, values[0]); err != nil {
			return nil, err
		}
	}
	if req.query, err = metrics.Parse(dataset, o); err != nil {
		return nil, asTyped(err, params)
	}
	if req.format == "" {
		if req.format, err = acceptedFormat(r.Header.Get("Accept")); err != nil {
			return nil, err
		}
	}
	if req.forExcel && req.format != export.CSV {
		return nil, &metrics.OptionError{Option: "for_excel", Value: "true", Reason: "is only for format=csv"}
	}
	delete(params, "cursor")
	sum := sha256.Sum256([]byte(dataset + "?" + params.Encode()))
	req.digest = hex.EncodeToString(sum[:8])
	return req, req.page()
}

// set reads a parameter of a dataset.
func (req *request) set(o *metrics.Options, d *metrics.Dataset, name, value string) error {
	switch name {
	case "format":
		f, err := export.ParseFormat(value)
		req.format = f
		return err
	case "for_excel", "for-excel":
		yes, err := strconv.ParseBool(value)
		if err != nil {
			return &metrics.OptionError{Option: name, Value: value, Reason: "must be true or false"}
		}
		req.forExcel = yes
		return nil
	case "cursor":
		req.cursor = value // empty: not given, like any other option
		return nil
	}
	for _, opt := range metrics.OptionList {
		if strings.ReplaceAll(name, "_", "-") == opt.Name {
			if *opt.Get(o) != "" {
				return &metrics.OptionError{Option: name, Value: value, Reason: "is given in both spellings"}
			}
			*opt.Get(o) = value
			return nil
		}
	}
	if slices.Contains(d.GroupKeys(), name) {
		filter := metrics.FilterText(metrics.Compare{Key: name, Op: metrics.Equal, Values: []string{value}})
		return &metrics.OptionError{Option: name, Value: value, Reason: fmt.Sprintf("is not a parameter of this address but a "+
			"group key of %s: write filter=%s (%s), or group_by=%s", d.Name, url.QueryEscape(filter), filter, name)}
	}
	return unknownParameter(name, value, parameterNames())
}

// parameterNames are the parameters of datasets.
func parameterNames() []string {
	list := []string{"format", "for-excel", "cursor"}
	for _, opt := range metrics.OptionList {
		list = append(list, opt.Name)
	}
	return list
}

// unknownParameter refuses a parameter that an address does not take. The nearest one that it takes is spelt as the
// caller spells: with dashes or underscores.
func unknownParameter(name, value string, known []string) error {
	near := nearest.Name(name, known)
	if !strings.Contains(name, "-") {
		near = strings.ReplaceAll(near, "-", "_")
	}
	return &metrics.OptionError{Option: name, Value: value, Nearest: near,
		Reason: "is not a parameter of this address" + nearest.Meant(near) + "; /openapi.json lists them"}
}

// takes refuses all parameters but the named ones, for addresses that do not read them all.
func (a *API) takes(h http.Handler, names ...string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		params, err := url.ParseQuery(r.URL.RawQuery)
		if err != nil {
			err = &metrics.OptionError{Option: "query", Value: r.URL.RawQuery, Reason: "is not a valid query string"}
		}
		for _, name := range slices.Sorted(maps.Keys(params)) {
			if err == nil && !slices.Contains(names, name) {
				err = unknownParameter(name, params.Get(name), names)
			}
		}
		if err != nil {
			a.fail(w, r, err)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// mostOf reads the limit of a list that has no pages: all of it without one.
func mostOf(r *http.Request) (int, error) {
	text := r.URL.Query().Get("limit")
	if text == "" {
		return math.MaxInt32, nil
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 1 {
		return 0, &metrics.OptionError{Option: "limit", Value: text, Reason: "must be a whole number from 1 to 2147483647"}
	}
	return int(n), nil
}

// whole reports whether the answer is bounded like an export, because it may be
// as large as the dataset.
func (req *request) whole() bool {
	return req.format != export.JSON || req.query.Limit > longPageRows
}

// asTyped names the parameter as the caller spelt it.
func asTyped(err error, params url.Values) error {
	if option, ok := errors.AsType[*metrics.OptionError](err); ok {
		if name := strings.ReplaceAll(option.Option, "-", "_"); params.Has(name) {
			typed := *option
			typed.Option = name
			return &typed
		}
	}
	return err
}

// page applies the limits of JSON paging.
func (req *request) page() error {
	if req.format != export.JSON {
		if req.cursor != "" {
			return &metrics.OptionError{Option: "cursor", Reason: "only json has pages; other formats stream the whole answer"}
		}
		return nil
	}
	if req.query.Limit == 0 {
		req.query.Limit = pageRows
	}
	if req.query.Limit > maxPageRows {
		return &metrics.OptionError{Option: "limit", Value: strconv.Itoa(req.query.Limit),
			Reason: "a json page has at most 100000 rows; the other formats stream all rows"}
	}
	return req.place()
}

// sqlQuery reads one row more than the page, to find out whether there is a next page.
func (req *request) sqlQuery() metrics.Query {
	q := req.query
	if req.format == export.JSON {
		q.Limit++
	}
	return q
}

// fileName is the name of the answer as a file.
func (req *request) fileName() string { return req.query.Dataset.Name + "." + string(req.format) }

// pageMeta is the member meta of an answer. The OpenAPI document is derived from it.
type pageMeta struct {
	Dataset    string             `json:"dataset"`
	Rows       int                `json:"rows" doc:"Rows of this page."`
	Generation int64              `json:"generation" doc:"Newest generation of the ledger."`
	Policy     string             `json:"policy_version" doc:"Newest version of the policy."`
	Window     metrics.DataWindow `json:"window" doc:"Time for which the dataset has data; null: it has none."`
	NextCursor *string            `json:"next_cursor" doc:"Value of cursor for the next page; null on the last."`
	Notes      []string           `json:"notes,omitempty" doc:"What to know before you rely on the rows."`
}

func (req *request) meta(notes []string, read *lastRow, written int, more bool) any {
	meta := pageMeta{Dataset: req.query.Dataset.Name, Rows: written, Generation: req.version.Generation,
		Policy: req.version.Policy, Window: req.data, Notes: notes}
	if more {
		meta.NextCursor = req.next(req.version, read.last)
	}
	return meta
}

// notAcceptableError refuses an Accept header.
type notAcceptableError struct{ accept string }

func (e *notAcceptableError) Error() string {
	return "cannot answer as " + strconv.Quote(e.accept) +
		"; the formats are application/json, text/csv, application/vnd.apache.parquet, " +
		"application/vnd.apache.arrow.stream, " + export.XLSX.ContentType() + " and text/plain"
}

// acceptedFormat picks the format with the highest q in the Accept header;
// JSON without a header and for wildcards.
func acceptedFormat(accept string) (export.Format, error) {
	if strings.TrimSpace(accept) == "" {
		return export.JSON, nil
	}
	best, bestQ := export.Format(""), 0.0
	for part := range strings.SplitSeq(accept, ",") {
		media, params, err := mime.ParseMediaType(strings.TrimSpace(part))
		if err != nil {
			continue
		}
		q := 1.0
		if text, ok := params["q"]; ok {
			if q, err = strconv.ParseFloat(text, 64); err != nil {
				continue
			}
		}
		f := formatOf(media)
		if f != "" && (q > bestQ || q == bestQ && f == export.JSON && q > 0) {
			best, bestQ = f, q
		}
	}
	if best == "" {
		return "", &notAcceptableError{accept}
	}
	return best, nil
}

func formatOf(media string) export.Format {
	switch media {
	case "*/*", "application/*":
		return export.JSON
	case "text/*":
		return export.CSV
	case "text/html": // from a browser
		return export.JSON
	}
	for _, f := range export.Formats {
		if base, _, _ := strings.Cut(f.ContentType(), ";"); base == media {
			return f
		}
	}
	return ""
}
