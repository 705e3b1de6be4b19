package api

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"gpuledger/internal/export"
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
	cursor   *cursor
	digest   string // of all parameters but the cursor
}

// cursor is the start of the next page. It is valid only for one query and one
// version of the ledger: an offset into a changed answer would skip rows.
type cursor struct {
	Offset  int    `json:"o"`
	Version string `json:"v"`
}

func parseRequest(dataset string, r *http.Request) (*request, error) {
	params, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, &metrics.OptionError{Option: "query", Value: r.URL.RawQuery, Reason: "is not a valid query string"}
	}
	if _, err := metrics.LookupDataset(dataset); err != nil {
		return nil, err
	}
	req := &request{}
	var o metrics.Options
	for name, values := range params {
		if len(values) > 1 {
			return nil, &metrics.OptionError{Option: name, Value: strings.Join(values, ", "), Reason: "is given more than once"}
		}
		if err := req.set(&o, name, values[0]); err != nil {
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

func (req *request) set(o *metrics.Options, name, value string) error {
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
		if value == "" { // not given, like any other empty option
			return nil
		}
		text, err := base64.RawURLEncoding.DecodeString(value)
		var c cursor
		if err != nil || json.Unmarshal(text, &c) != nil || c.Offset < 0 || c.Offset > math.MaxInt32 || c.Version == "" {
			return &metrics.OptionError{Option: name, Value: value, Reason: "is not a next_cursor of this API"}
		}
		req.cursor = &c
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
	return &metrics.OptionError{Option: name, Value: value, Reason: "is not a parameter; /openapi.json lists them"}
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
		if req.cursor != nil {
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
	if req.cursor != nil {
		req.query.Offset = req.cursor.Offset
	}
	return nil
}

// checkCursor refuses a cursor of another query or of an older version of the ledger.
func (req *request) checkCursor(v metrics.Version) error {
	if req.cursor != nil && req.cursor.Version != req.version(v) {
		return &staleCursorError{}
	}
	return nil
}

func (req *request) version(v metrics.Version) string {
	sum := sha256.Sum256([]byte(req.digest + "\x00" + v.Tag + "\x00" + v.Policy))
	return hex.EncodeToString(sum[:8])
}

// sqlQuery reads one row more than the page, to find out whether there is a next page.
func (req *request) sqlQuery() metrics.Query {
	q := req.query
	if req.format == export.JSON {
		q.Limit++
	}
	return q
}

// pageMeta is the member meta of an answer. The OpenAPI document is derived from it.
type pageMeta struct {
	Dataset    string   `json:"dataset"`
	Rows       int      `json:"rows" doc:"Rows of this page."`
	Generation int64    `json:"generation" doc:"Newest generation of the ledger."`
	Policy     string   `json:"policy_version" doc:"Newest version of the policy."`
	NextCursor *string  `json:"next_cursor" doc:"Value of cursor for the next page; null on the last."`
	Notes      []string `json:"notes,omitempty" doc:"What to know before you rely on the rows."`
}

func (req *request) meta(v metrics.Version, notes []string, written int, more bool) any {
	meta := pageMeta{Dataset: req.query.Dataset.Name, Rows: written, Generation: v.Generation, Policy: v.Policy, Notes: notes}
	if more {
		text, err := json.Marshal(cursor{Offset: req.query.Offset + written, Version: req.version(v)})
		if err == nil { // two plain fields: it cannot fail
			next := base64.RawURLEncoding.EncodeToString(text)
			meta.NextCursor = &next
		}
	}
	return meta
}

type staleCursorError struct{}

func (*staleCursorError) Error() string {
	return "the ledger or the query changed since this cursor was issued; start again without it"
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
