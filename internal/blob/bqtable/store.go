package bqtable

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"cloud.google.com/go/bigquery"
	"google.golang.org/api/googleapi"
	"google.golang.org/api/iterator"
	"google.golang.org/api/option"

	"gpuledger/internal/blob"
	"gpuledger/internal/period"
)

// Scheme of the URIs that the store reads.
const Scheme = "bq"

// Options tune a Store. The zero value uses application default credentials.
type Options struct {
	Endpoint string // of another server, such as http://host/bigquery/v2/
	Location string // where the data set lies; empty: BigQuery finds out
	Project  string // that pays for the queries; empty: the table's

	// Client replaces the HTTP client and its credentials, for tests.
	Client *http.Client
}

// Store reads tables. It is safe for concurrent use.
type Store struct {
	options Options

	mu      sync.Mutex
	clients map[string]*bigquery.Client // by project that pays
}

// New returns a store; it connects when it is first used.
func New(o Options) *Store { return &Store{options: o, clients: map[string]*bigquery.Client{}} }

// table is what a URI names.
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

func (s *Store) client(ctx context.Context, project string) (*bigquery.Client, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.clients[project]; c != nil {
		return c, nil
	}
	var options []option.ClientOption
	if s.options.Endpoint != "" {
		options = append(options, option.WithEndpoint(s.options.Endpoint))
	}
	if s.options.Client != nil {
		options = append(options, option.WithHTTPClient(s.options.Client))
	}
	// The client outlives the listing that it was made for.
	c, err := bigquery.NewClient(context.WithoutCancel(ctx), project, options...)
	if err != nil {
		return nil, fmt.Errorf("no Google credentials: set GOOGLE_APPLICATION_CREDENTIALS, run `gcloud auth application-default login`, or give this machine a service account: %w", err)
	}
	c.Location = s.options.Location
	s.clients[project] = c
	return c, nil
}

// List implements blob.Store: one object per day of export.
func (s *Store) List(ctx context.Context, uri string) ([]blob.Object, error) {
	t, err := parse(uri)
	if err != nil {
		return nil, err
	}
	project := s.options.Project
	if project == "" {
		project = t.project
	}
	client, err := s.client(ctx, project)
	if err != nil {
		return nil, err
	}
	md, err := client.DatasetInProject(t.project, t.dataset).Table(t.name).Metadata(ctx, bigquery.WithMetadataView(bigquery.BasicMetadataView))
	if err != nil {
		return nil, t.explain(err, "bigquery.tables.get on "+t.String())
	}
	if !slices.ContainsFunc(md.Schema, func(f *bigquery.FieldSchema) bool {
		return strings.EqualFold(f.Name, "export_time") && f.Type == bigquery.TimestampFieldType
	}) {
		return nil, fmt.Errorf("%s: no column export_time: name the table of a Cloud Billing export (gcp_billing_export_v1_… or gcp_billing_export_resource_v1_…)", t)
	}
	days, err := s.days(ctx, client, t, md)
	if err != nil {
		return nil, err
	}
	objects := make([]blob.Object, len(days))
	for i, d := range days {
		name := d.day + ".json"
		objects[i] = blob.Object{Name: t.name + "/" + name, Address: t.String() + "/" + name, Size: blob.UnknownSize,
			Modified: period.FromTime(d.newest), Version: d.version(), Content: &content{client: client, table: t, day: d}}
	}
	if len(objects) == 0 {
		return nil, fmt.Errorf("%s: the table has no rows yet: a new export needs some hours", t)
	}
	return objects, nil
}

// day is a day of export and where its rows lie.
type day struct {
	day    string // 2026-03-01
	from   time.Time
	newest time.Time // export_time
	pieces []piece
}

// piece is the part of a day in one partition of the table.
type piece struct {
	partition time.Time // zero: the table has none, or the rows are in none yet
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
func byIngestion(md *bigquery.TableMetadata) bool {
	return md.Type == bigquery.RegularTable && md.TimePartitioning != nil && md.TimePartitioning.Field == ""
}

func (s *Store) days(ctx context.Context, client *bigquery.Client, t table, md *bigquery.TableMetadata) ([]day, error) {
	partition := "cast(null as timestamp)"
	if byIngestion(md) {
		partition = "_PARTITIONTIME"
	}
	q := client.Query("select timestamp_trunc(export_time, day) as day, " + partition + " as part, count(*) as row_count, max(export_time) as newest from " + t.quoted() + " group by 1, 2 order by 1, 2")
	it, err := q.Read(ctx)
	if err != nil {
		return nil, t.explain(err, "")
	}
	var days []day
	for {
		var row struct {
			Day    bigquery.NullTimestamp `bigquery:"day"`
			Part   bigquery.NullTimestamp `bigquery:"part"`
			Rows   int64                  `bigquery:"row_count"`
			Newest bigquery.NullTimestamp `bigquery:"newest"`
		}
		switch err := it.Next(&row); {
		case errors.Is(err, iterator.Done):
			return days, nil
		case err != nil:
			return nil, t.explain(err, "")
		case !row.Day.Valid:
			return nil, fmt.Errorf("%s: %d rows have no export_time: this is not a Cloud Billing export as Google writes it", t, row.Rows)
		}
		from := row.Day.Timestamp.UTC()
		if n := len(days); n == 0 || !days[n-1].from.Equal(from) {
			days = append(days, day{day: from.Format(time.DateOnly), from: from})
		}
		d := &days[len(days)-1]
		p := piece{rows: row.Rows, newest: row.Newest.Timestamp.UTC()}
		if row.Part.Valid {
			p.partition = row.Part.Timestamp.UTC()
		}
		d.pieces = append(d.pieces, p)
		if p.newest.After(d.newest) {
			d.newest = p.newest
		}
		if len(days) > blob.MaxListed {
			return nil, fmt.Errorf("%s: more than %d days", t, blob.MaxListed)
		}
	}
}

// explain says what an error of the service means for the user.
func (t table) explain(err error, permission string) error {
	api := (*googleapi.Error)(nil)
	if !errors.As(err, &api) {
		return fmt.Errorf("%s: %w", t, err)
	}
	if permission == "" {
		permission = "bigquery.jobs.create on the project that pays, and bigquery.tables.getData on " + t.String()
	}
	reason := ""
	if len(api.Errors) > 0 {
		reason = api.Errors[0].Reason
	}
	switch {
	case api.Code == http.StatusNotFound:
		return fmt.Errorf("%s: there is no such table, or not in this location: check project, data set, table and location (%s)", t, api.Message)
	case api.Code == http.StatusUnauthorized:
		return fmt.Errorf("%s: the Google credentials are refused: log in again or check GOOGLE_APPLICATION_CREDENTIALS (%s)", t, api.Message)
	case api.Code == http.StatusForbidden && (reason == "quotaExceeded" || reason == "rateLimitExceeded"):
		return fmt.Errorf("%s: the quota of BigQuery is used up (%s): raise it or import later", t, api.Message)
	case api.Code == http.StatusForbidden:
		return &blob.DeniedError{Address: t.String(), Needs: permission, Err: errors.New(api.Message),
			Advice: "grant BigQuery Data Viewer (roles/bigquery.dataViewer) on the data set and BigQuery Job User (roles/bigquery.jobUser) on the project to the account that gpuledger runs as"}
	}
	return fmt.Errorf("%s: %w", t, err)
}
