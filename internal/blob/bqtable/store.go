package bqtable

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gpuledger/internal/blob"
	"gpuledger/internal/blob/googleapi"
	"gpuledger/internal/period"
)

// Scheme of the URIs that the store reads.
const Scheme = "bq"

// Options tune a Store. The zero value uses application default credentials.
type Options struct {
	Endpoint string // of another server, such as http://host/bigquery/v2/
	Location string // of the data set; empty: BigQuery finds it
	Project  string // that pays for the queries; empty: the table's

	// Client replaces the HTTP client and its credentials, for tests.
	Client *http.Client
}

// Store reads tables. It is safe for concurrent use.
type Store struct {
	options Options
	api     *googleapi.Client
}

// New returns a store; it connects on first use.
func New(o Options) *Store {
	return &Store{o, googleapi.New(googleapi.Options{Service: "bigquery", Path: "/bigquery/v2/",
		Scope:    "https://www.googleapis.com/auth/bigquery",
		Endpoint: o.Endpoint, Client: o.Client})}
}

// table is the table that a URI names.
type table struct{ project, dataset, name string }

var tableForm = regexp.MustCompile(`^((?:[a-z0-9.-]+:)?[a-z0-9-]+)\.([A-Za-z0-9_]+)\.([\p{L}\p{N}_ -]+)$`)

func parse(uri string) (table, error) {
	m := tableForm.FindStringSubmatch(strings.TrimSuffix(strings.TrimPrefix(uri, Scheme+"://"), "/"))
	if m == nil {
		return table{}, errors.New("write bq://project.dataset.table")
	}
	return table{m[1], m[2], m[3]}, nil
}

// String is the address of the table.
func (t table) String() string { return Scheme + "://" + t.project + "." + t.dataset + "." + t.name }

// quoted is the table in SQL; its parts hold no backtick, see tableForm.
func (t table) quoted() string { return "`" + t.project + "." + t.dataset + "." + t.name + "`" }

// resource is the fields read of a table (https://cloud.google.com/bigquery/docs/reference/rest/v2/tables).
type resource struct {
	Type             string `json:"type"`
	Location         string `json:"location"`
	Schema           schema `json:"schema"`
	TimePartitioning *struct {
		Field string `json:"field"`
	} `json:"timePartitioning"`
}

// List implements blob.Store: one object per day of export.
func (s *Store) List(ctx context.Context, uri string) ([]blob.Object, error) {
	t, err := parse(uri)
	if err != nil {
		return nil, err
	}
	path := "/projects/" + url.PathEscape(t.project) + "/datasets/" + url.PathEscape(t.dataset) + "/tables/" +
		url.PathEscape(t.name)
	var md resource
	if err := s.api.JSON(ctx, http.MethodGet, path, url.Values{"view": {"BASIC"}}, nil, &md); err != nil {
		return nil, t.explain(err, "bigquery.tables.get on "+t.String())
	}
	if !slices.ContainsFunc(md.Schema.Fields, func(f field) bool {
		return strings.EqualFold(f.Name, "export_time") && f.Type == "TIMESTAMP"
	}) {
		return nil, fmt.Errorf("%s: no column export_time: name the table of a Cloud Billing export "+
			"(gcp_billing_export_v1_… or gcp_billing_export_resource_v1_…)", t)
	}
	q := querier{
		api: s.api, project: cmp.Or(s.options.Project, t.project), location: cmp.Or(s.options.Location, md.Location),
	}
	days, err := q.days(ctx, t, md)
	if err != nil {
		return nil, err
	}
	objects := make([]blob.Object, len(days))
	for i, d := range days {
		name := d.day + ".json"
		objects[i] = blob.Object{Name: t.name + "/" + name, Address: t.String() + "/" + name, Size: blob.UnknownSize,
			Modified: period.FromTime(d.newest), Version: d.version(), Content: &content{querier: q, table: t, day: d}}
	}
	if len(objects) == 0 {
		return nil, fmt.Errorf("%s: the table has no rows yet: a new export needs some hours", t)
	}
	return objects, nil
}

// day is a day of export and the partitions with its rows.
type day struct {
	day    string // 2026-03-01
	from   time.Time
	newest time.Time // export_time
	pieces []piece
}

// piece is the part of a day in one partition of the table.
type piece struct {
	partition time.Time // zero: the table has none, or the rows are not in one yet
	rows      int64
	newest    time.Time
}

// version changes whenever rows are added to the day: rows never change.
func (d day) version() string {
	h := sha256.New()
	for _, p := range d.pieces {
		_, _ = fmt.Fprintln(h, p.partition.Unix(), p.rows, p.newest.UnixMicro()) // a hash never fails
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// byIngestion reports whether the table has the pseudo column _PARTITIONTIME.
func (r resource) byIngestion() bool {
	return r.Type == "TABLE" && r.TimePartitioning != nil && r.TimePartitioning.Field == ""
}

func (q querier) days(ctx context.Context, t table, md resource) ([]day, error) {
	partition := "cast(null as timestamp)"
	if md.byIngestion() {
		partition = "_PARTITIONTIME"
	}
	j, err := q.begin(ctx, "select timestamp_trunc(export_time, day) as day, "+partition+" as part, count(*) as "+
		"row_count, max(export_time) as newest from "+t.quoted()+" group by 1, 2 order by 1, 2")
	if err != nil {
		return nil, t.explain(err, "")
	}
	var days []day
	for rows := j.rows(); ; {
		r, _, err := rows.next(ctx)
		switch {
		case errors.Is(err, io.EOF):
			return days, nil
		case err != nil:
			return nil, t.explain(err, "")
		case len(r) != 4:
			return nil, fmt.Errorf("%s: an answer has %d columns instead of 4", t, len(r))
		}
		var from, part, newest time.Time
		var count int64
		if err := errors.Join(timestamp(&from, r[0]), timestamp(&part, r[1]), integer(&count, r[2]),
			timestamp(&newest, r[3])); err != nil {
			return nil, fmt.Errorf("%s: %w", t, err)
		}
		if from.IsZero() {
			return nil, fmt.Errorf("%s: %d rows have no export_time: this is not a Cloud Billing export as Google writes it", t,
				count)
		}
		if n := len(days); n == 0 || !days[n-1].from.Equal(from) {
			days = append(days, day{day: from.Format(time.DateOnly), from: from})
		}
		d := &days[len(days)-1]
		d.pieces = append(d.pieces, piece{partition: part, rows: count, newest: newest})
		if newest.After(d.newest) {
			d.newest = newest
		}
		if len(days) > blob.MaxListed {
			return nil, fmt.Errorf("%s: more than %d days", t, blob.MaxListed)
		}
	}
}

// integer reads a cell of an INT64.
func integer(to *int64, c cell) error {
	var text string
	if err := json.Unmarshal(c.Value, &text); err != nil {
		return err
	}
	n, err := strconv.ParseInt(text, 10, 64)
	*to = n
	return err
}

// timestamp reads a cell of a TIMESTAMP, in microseconds; null is left alone.
func timestamp(to *time.Time, c cell) error {
	if c.null() {
		return nil
	}
	var micros int64
	if err := integer(&micros, c); err != nil {
		return err
	}
	*to = time.UnixMicro(micros).UTC()
	return nil
}

// explain turns an error of the service into advice for the user.
func (t table) explain(err error, permission string) error {
	api := (*googleapi.Error)(nil)
	if !errors.As(err, &api) {
		return fmt.Errorf("%s: %w", t, err)
	}
	if permission == "" {
		permission = "bigquery.jobs.create on the project that pays, and bigquery.tables.getData on " + t.String()
	}
	switch {
	case api.Code == http.StatusNotFound:
		return fmt.Errorf("%s: there is no such table, or not in this location: check project, data set, table and "+
			"location (%s)", t, api.Message)
	case api.Code == http.StatusUnauthorized:
		return fmt.Errorf("%s: the Google credentials are refused: log in again or check GOOGLE_APPLICATION_CREDENTIALS (%s)",
			t, api.Message)
	case api.Code == http.StatusForbidden && (api.Reason == "quotaExceeded" || api.Reason == "rateLimitExceeded"):
		return fmt.Errorf("%s: the quota of BigQuery is used up (%s): raise it or import later", t, api.Message)
	case api.Code == http.StatusForbidden:
		return &blob.DeniedError{Address: t.String(), Needs: permission, Err: errors.New(api.Message),
			Advice: "grant BigQuery Data Viewer (roles/bigquery.dataViewer) on the data set and BigQuery Job User " +
				"(roles/bigquery.jobUser) on the project to the account that gpuledger runs as"}
	}
	return fmt.Errorf("%s: %w", t, err)
}
