package bqtable

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"gpuledger/internal/blob/googleapi"
)

// querier runs queries billed to a project, in the location of the data.
type querier struct {
	api               *googleapi.Client
	project, location string
}

// parameter is a named parameter of a query, a time or several.
type parameter struct {
	name  string
	times []time.Time
	array bool
}

// MarshalJSON implements json.Marshaler
// (https://cloud.google.com/bigquery/docs/reference/rest/v2/QueryParameter).
func (p parameter) MarshalJSON() ([]byte, error) {
	type kind struct {
		Type  string `json:"type"`
		Array *kind  `json:"arrayType,omitempty"`
	}
	type value struct {
		Value string  `json:"value,omitempty"`
		Array []value `json:"arrayValues,omitempty"`
	}
	k, values := kind{Type: "TIMESTAMP"}, make([]value, len(p.times))
	for i, at := range p.times {
		values[i].Value = at.UTC().Format("2006-01-02 15:04:05.999999-07:00")
	}
	v := value{Array: values}
	if p.array {
		k = kind{Type: "ARRAY", Array: &kind{Type: "TIMESTAMP"}}
	} else {
		v = values[0]
	}
	return json.Marshal(map[string]any{"name": p.name, "parameterType": k, "parameterValue": v})
}

// job is a query that was started.
type job struct {
	of  querier
	ref jobReference
}

type jobReference struct {
	Project  string `json:"projectId"`
	ID       string `json:"jobId"`
	Location string `json:"location,omitempty"`
}

// begin starts a query. We name the job, so that a repeated request does not run it twice.
func (q querier) begin(ctx context.Context, statement string, parameters ...parameter) (*job, error) {
	type query struct {
		Query      string      `json:"query"`
		LegacySQL  bool        `json:"useLegacySql"`
		Mode       string      `json:"parameterMode,omitempty"`
		Parameters []parameter `json:"queryParameters,omitempty"`
	}
	type configuration struct {
		Query query `json:"query"`
	}
	type body struct {
		Reference     jobReference  `json:"jobReference"`
		Configuration configuration `json:"configuration"`
	}
	in := body{
		jobReference{q.project, "gpuledger_" + rand.Text(), q.location},
		configuration{query{Query: statement, Parameters: parameters}},
	}
	if len(parameters) > 0 {
		in.Configuration.Query.Mode = "NAMED"
	}
	out := struct {
		Reference jobReference `json:"jobReference"`
	}{in.Reference}
	err := q.api.JSON(ctx, http.MethodPost, "/projects/"+url.PathEscape(q.project)+"/jobs", nil, in, &out)
	if err != nil && googleapi.Code(err) != http.StatusConflict { // the first try had started it
		return nil, err
	}
	return &job{q, out.Reference}, nil
}

// schema and field describe a table or a result.
type schema struct {
	Fields []field `json:"fields"`
}

type field struct {
	Name   string  `json:"name"`
	Type   string  `json:"type"`
	Mode   string  `json:"mode"`
	Fields []field `json:"fields"`
}

// record is a row, or the value of a nested field.
type record struct {
	Cells []cell `json:"f"`
}

// cell is a value: text, a record, a list of cells, or null.
type cell struct {
	Value json.RawMessage `json:"v"`
}

func (c cell) null() bool { return len(c.Value) == 0 || bytes.Equal(c.Value, []byte("null")) }

// Bounds of one page of an answer.
const (
	rowsPerPage = 10_000
	pageWait    = 30 * time.Second // for a query that is not done
)

// rows reads the answer of a job from its first row.
func (j *job) rows() *rows { return &rows{of: j} }

type rows struct {
	of     *job
	fields []field
	page   []record
	token  string
	ended  bool
}

// next returns a row and the fields of the answer; io.EOF comes after the last.
func (r *rows) next(ctx context.Context) ([]cell, []field, error) {
	for len(r.page) == 0 {
		if r.ended {
			return nil, nil, io.EOF
		}
		if err := r.read(ctx); err != nil {
			return nil, nil, err
		}
	}
	row := r.page[0].Cells
	r.page = r.page[1:]
	return row, r.fields, nil
}

// read gets the next page; there is none yet while the query runs.
func (r *rows) read(ctx context.Context) error {
	query := url.Values{
		"maxResults": {strconv.Itoa(rowsPerPage)}, "timeoutMs": {strconv.FormatInt(pageWait.Milliseconds(), 10)},
		"formatOptions.useInt64Timestamp": {"true"},
	}
	for name, value := range map[string]string{"location": r.of.ref.Location, "pageToken": r.token} {
		if value != "" {
			query.Set(name, value)
		}
	}
	var out struct {
		Complete bool     `json:"jobComplete"`
		Schema   schema   `json:"schema"`
		Rows     []record `json:"rows"`
		Token    string   `json:"pageToken"`
	}
	path := "/projects/" + url.PathEscape(r.of.ref.Project) + "/queries/" + url.PathEscape(r.of.ref.ID)
	if err := r.of.of.api.JSON(ctx, http.MethodGet, path, query, nil, &out); err != nil || !out.Complete {
		return err
	}
	r.fields, r.page, r.token = out.Schema.Fields, out.Rows, out.Token
	r.ended = r.token == ""
	return nil
}
