package ingest

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/test/billtest"
)

func importer(m *memory) *Importer {
	return &Importer{Store: m, Now: func() time.Time { return time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC) }}
}

// write puts files below a fresh directory.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		p := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func pack(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const curHeader = "identity_line_item_id,identity_time_interval,bill_payer_account_id,bill_billing_period_start_date,line_item_usage_account_id,line_item_line_item_type,line_item_usage_start_date,line_item_usage_end_date,line_item_product_code,line_item_usage_type,line_item_resource_id,line_item_usage_amount,line_item_currency_code,line_item_unblended_cost,pricing_public_on_demand_cost,pricing_unit,resource_tags\n"

func curRow(n int, cost string) string {
	from := time.Date(2026, 10, 1, n%24, 0, 0, 0, time.UTC)
	to := from.Add(time.Hour)
	at := func(t time.Time) string { return t.Format(time.RFC3339) }
	return fmt.Sprintf("line%d,%s/%s,111122223333,2026-10-01T00:00:00Z,444455556666,Usage,%s,%s,AmazonEC2,BoxUsage:p5.48xlarge,i-%d,1,USD,%s,%s,Hrs,\"{\"\"user_team\"\":\"\"a\"\"}\"\n",
		n, at(from), at(to), at(from), at(to), n, cost, cost)
}

func cur(rows ...string) string { return curHeader + strings.Join(rows, "") }

func mustImport(t *testing.T, m *memory, req Request) *Summary {
	t.Helper()
	s, err := importer(m).Import(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range m.imports {
		if rec.FilesDone != rec.Files || rec.BytesDone != rec.Bytes {
			t.Errorf("%s ended with %d of %d files and %d of %d bytes read", rec.Source, rec.FilesDone, rec.Files, rec.BytesDone,
				rec.Bytes)
		}
	}
	if m.open != 0 {
		t.Fatalf("%d stages left open", m.open)
	}
	return s
}

func second(s string) *period.Second {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	at := period.FromTime(t)
	return &at
}

func TestDeliveriesReplaceEachOtherInOrder(t *testing.T) {
	m := newMemory()
	first := write(t, map[string]string{"a.csv": cur(curRow(1, "55.04"), curRow(2, "55.04"))})
	// The same rows in another order, cut in two and packed.
	same := write(t, map[string]string{"x.csv.gz": pack(t, cur(curRow(2, "55.0400"))), "y.csv": cur(curRow(1, "5.504e1"))})
	newer := write(t, map[string]string{"a.csv": cur(curRow(1, "55.04"), curRow(2, "50"))})

	if s := mustImport(t, m, Request{
		Source: "aws-cur", URIs: []string{first}, DeliveredAt: second("2026-10-02T00:00:00Z"),
	}); !slices.Equal(states(s), []string{"published"}) || s.Accepted != 2 || s.State != ImportPublished {
		t.Fatalf("%+v", s)
	}
	if s := mustImport(t, m, Request{Source: "auto",
		URIs: []string{same}}); !slices.Equal(states(s), []string{"unchanged"}) {
		t.Fatalf("the same rows in other bytes: %+v", s)
	}
	if s, err := importer(m).Import(t.Context(), Request{Source: "aws-cur", URIs: []string{newer}}); err == nil ||
		s.State != ImportRefused || !strings.Contains(err.Error(), "--delivered-at") {
		t.Fatalf("other rows without a time must be refused: %v", err)
	}
	if s := mustImport(t, m, Request{
		Source: "aws-cur", URIs: []string{newer}, DeliveredAt: second("2026-10-03T00:00:00Z"),
	}); !slices.Equal(states(s), []string{"published"}) {
		t.Fatalf("%+v", s)
	}
	if s := mustImport(t, m, Request{
		Source: "aws-cur", URIs: []string{first}, DeliveredAt: second("2026-10-02T00:00:00Z"),
	}); !slices.Equal(states(s), []string{"older"}) || s.State != ImportOlder {
		t.Fatalf("%+v", s)
	}
	if len(m.current) != 1 || m.open != 0 {
		t.Errorf("%d current deliveries, %d open stages", len(m.current), m.open)
	}
}

func TestRefusals(t *testing.T) {
	good := cur(curRow(1, "55.04"), curRow(2, "55.04"))
	parquet := "PAR1" + strings.Repeat("x", 100) + "\x10\x00\x00\x00PAR1"
	for name, c := range map[string]struct {
		source string
		files  map[string]string
		want   []string // in the error
		reason string
	}{
		"text in a number": {
			"aws-cur", map[string]string{"b.csv": cur(curRow(1, "55.04"), curRow(2, "cheap"))},
			[]string{"b.csv line 3", "line_item_unblended_cost", "not a number"}, "not a number",
		},
		"text in usage": {
			"aws-cur", map[string]string{"b.csv": strings.Replace(good, ",1,USD", ",one,USD", 1)},
			[]string{"b.csv line 2", "line_item_usage_amount"}, "not a number",
		},
		"bad date": {
			"aws-cur", map[string]string{"b.csv": strings.Replace(good, "2026-10-01T00:00:00Z,444", "2026-13-01,444", 1)},
			[]string{"b.csv line 2", "bill_billing_period_start_date"}, "not a date",
		},
		"unknown unit": {
			"aws-cur", map[string]string{"b.csv": strings.Replace(good, "Hrs", "Furlongs", 1)},
			[]string{"b.csv line 2", "pricing_unit", "Furlongs"}, "unknown unit",
		},
		"unknown currency": {
			"aws-cur", map[string]string{"b.csv": strings.Replace(good, "USD", "dollars", 1)},
			[]string{"line_item_currency_code"}, "unknown unit",
		},
		"missing columns": {
			"aws-cur", map[string]string{
				"b.csv": strings.Replace(strings.Replace(good, "line_item_unblended_cost", "cost", 1), "line_item_currency_code",
					"cur", 1),
			}, []string{
				"b.csv line 1", "line_item_currency_code, line_item_unblended_cost",
				"; the file has the columns identity_line_item_id, ", "line_item_usage_amount and 5 more",
			}, "missing required column",
		},
		"legacy": {
			"aws-cur", map[string]string{"b.csv": "identity/LineItemId,bill/PayerAccountId,lineItem/UnblendedCost\na,b,1\n"},
			[]string{"line_item_currency_code", "b.csv line 1"}, "missing required column",
		},
		"members": {
			"gcp-billing", map[string]string{
				"b.json": "\n{\"billing_account_id\":\"a\",\"service\":{\"id\":\"s\"},\"sku\":{\"id\":\"k\"},\"project\":{\"id\":\"p\"},\"cost\":1}\n",
			}, []string{"b.json line 2, column usage_start_time",
				"; the file has the columns billing_account_id, service.id, "}, "missing required column",
		},
		"fields": {
			"aws-cur", map[string]string{"b.csv": good + "a,b\n"},
			[]string{"b.csv line 4", "2 fields"}, "wrong number of fields",
		},
		"quotes": {"aws-cur", map[string]string{"b.csv": good + "\"a,b\n"}, []string{"b.csv line"}, "broken csv"},
		"bad map": {
			"aws-cur", map[string]string{"b.csv": strings.Replace(good, `{""user_team"":""a""}`, `{""user_team"":`, 1)},
			[]string{"b.csv line 2", "resource_tags"}, "not a map",
		},
		"empty": {"aws-cur", map[string]string{"b.csv": ""}, []string{"b.csv line 1"}, "empty file"},
		"truncated gzip": {
			"aws-cur", map[string]string{"b.csv.gz": pack(t, good)[:150]}, []string{"b.csv.gz", "truncated"}, "truncated file",
		},
		"broken footer": {
			"aws-cur", map[string]string{"b.parquet": parquet}, []string{"b.parquet", "broken parquet"}, "broken parquet",
		},
		"short parquet": {"aws-cur", map[string]string{"b.parquet": "PAR1"}, []string{"b.parquet"}, "broken parquet"},
		"no parquet":    {"aws-cur", map[string]string{"b.parquet": "hello"}, []string{"b.parquet"}, "broken parquet"},
		"lost data file": {
			"aws-cur", map[string]string{
				"m-Manifest.json": `{"executionId":"e","dataFiles":["s3://b/p/data/BILLING_PERIOD=2026-10/x-00001.csv","s3://b/p/data/BILLING_PERIOD=2026-10/x-00002.csv"]}`, "x-00001.csv": good,
			}, []string{"m-Manifest.json", "x-00002.csv"}, "file missing",
		},
		"empty manifest": {
			"aws-cur", map[string]string{"m-Manifest.json": `{"exportArn":"e"}`},
			[]string{"m-Manifest.json", "no data files"}, "broken manifest",
		},
		"book": {
			"price-book", map[string]string{"b.yaml": "rates:\n- {instance_type: a, hourly: x}\n"},
			[]string{"b.yaml line 2"}, "missing value",
		},
		"events": {
			"spot-events", map[string]string{
				"e.json": `{"detail-type":"EC2 Instance State-change Notification","detail":{"inst`,
			}, []string{"e.json line 1"}, "broken json",
		},
		"metrics": {
			"openmetrics", map[string]string{"m.om": "# TYPE kube_node_info gauge\nkube_node_info{node=\"a\"} 1 1760000000\n"},
			[]string{"m.om"}, "truncated file",
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMemory()
			root := write(t, c.files)
			s, err := importer(m).Import(t.Context(), Request{Source: c.source, URIs: []string{root}})
			var refused *RefusedError
			if !errors.As(err, &refused) || s == nil {
				t.Fatalf("error %v, summary %v", err, s)
			}
			for _, w := range c.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("error %q lacks %q", err, w)
				}
			}
			if s.State != ImportRefused || s.RejectedByReason[c.reason] == 0 || len(s.Rejections) == 0 || s.Accepted != 0 {
				t.Errorf("summary %+v", s)
			}
			if len(m.current) != 0 || m.open != 0 || len(m.events) != 0 || len(m.rates) != 0 {
				t.Error("something is visible")
			}
			for _, rec := range m.imports {
				if rec.State != ImportRefused || rec.Message == "" || len(rec.Rejections) == 0 {
					t.Errorf("journal %+v", rec)
				}
			}
		})
	}
}

func TestUnknownSourceAndFormats(t *testing.T) {
	m := newMemory()
	if _, err := importer(m).Import(t.Context(), Request{Source: "oci-usage", URIs: []string{"."}}); err == nil ||
		!strings.Contains(err.Error(), "unknown source") {
		t.Error(err)
	}
	root := write(t, map[string]string{"README.md": "# hello", "a.csv": cur(curRow(1, "1")), "x/truth.json": "{}"})
	s := mustImport(t, m, Request{Source: "auto", URIs: []string{root}})
	if s.Files != 1 || s.NotedByReason["file of another format that was skipped: README.md, which seems to be a text"] != 1 ||
		s.NotedByReason["file of another format that was skipped: x/truth.json, which seems to be JSON of another kind"] != 1 {
		t.Errorf("%+v", s)
	}
	if _, err := importer(m).Import(t.Context(), Request{
		Source: "auto", URIs: []string{filepath.Join(root, "README.md")},
	}); err == nil || !strings.Contains(err.Error(), "unknown format: it seems to be a text") {
		t.Error(err)
	}
	days := filepath.Join(write(t, map[string]string{"days.csv": "day,team,usd\n2026-10-01,a,1\n"}), "days.csv")
	for source, want := range map[string]string{
		"auto": "days.csv line 1: unknown format: it seems to be a table with columns day, team, usd; name its source",
		"focus": "days.csv line 1: no header line: none of the first 2 lines has the column names of this format; " +
			"the first has 3 fields: day, team, usd",
	} {
		if _, err := importer(m).Import(t.Context(), Request{Source: source, URIs: []string{days}}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", source, err)
		}
	}
	if _, err := importer(m).Import(t.Context(), Request{Source: "openmetrics", URIs: []string{root}}); err == nil ||
		!strings.Contains(err.Error(), "none of the 3 files") || !strings.Contains(err.Error(), "a.csv seems to be aws-cur") {
		t.Error(err)
	}
	if _, err := json.Marshal(s); err != nil {
		t.Error(err)
	}
}

func TestFaultsOfTheStoreRefuse(t *testing.T) {
	m := newMemory()
	m.fail = errors.New("disk full")
	root := write(t, map[string]string{"a.csv": cur(curRow(1, "1"))})
	s, err := importer(m).Import(t.Context(), Request{Source: "aws-cur", URIs: []string{root}})
	if !errors.Is(err, m.fail) || s.State != ImportRefused || m.open != 0 || len(s.Rejections) != 0 {
		t.Errorf("%v %+v", err, s)
	}
	ctx, cancel := context.WithCancel(t.Context())
	m.fail = nil
	im := importer(m)
	im.Progress = func(p Progress) {
		if p.Phase == "read" {
			cancel()
		}
	}
	if _, err := im.Import(ctx, Request{Source: "aws-cur", URIs: []string{root}}); !errors.Is(err, context.Canceled) ||
		m.open != 0 || len(m.current) != 0 {
		t.Errorf("cancelled: %v, %d open", err, m.open)
	}
}

func metrics(uuid, provider string) string {
	return fmt.Sprintf("# TYPE kube_node_info gauge\nkube_node_info{node=\"node-1\",provider_id=%q} 1 "+
		"1760000000\nDCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=%q,Hostname=\"node-1\",modelName=\"NVIDIA L4\"} 50 "+
		"1760000000\n# EOF\n", provider, uuid)
}

func TestTwoUnnamedClustersAreRefused(t *testing.T) {
	m := newMemory()
	a := write(t, map[string]string{"a.om": metrics("GPU-a", "aws:///us-east-1a/i-1")})
	b := write(t, map[string]string{"b.om": metrics("GPU-b", "aws:///us-east-1a/i-2")})
	mustImport(t, m, Request{Source: "openmetrics", URIs: []string{a}})
	mustImport(t, m, Request{Source: "auto", URIs: []string{a, b}, Cluster: "named"})
	s, err := importer(m).Import(t.Context(), Request{Source: "openmetrics", URIs: []string{a, b}})
	if err == nil || !strings.Contains(err.Error(), "--cluster") || s.State != ImportRefused {
		t.Errorf("two unnamed clusters in one import: %v", err)
	}
	m.nodes = []NodeIdentity{
		{
			Name: "node-1", Devices: []NodeDevice{
				{Index: 0, UUID: "GPU-a", Hours: period.Interval{From: 1759996800, To: 1760000400}},
			},
		},
	}
	if _, err := importer(m).Import(t.Context(), Request{Source: "openmetrics", URIs: []string{b}}); err == nil ||
		!strings.Contains(err.Error(), "node-1") {
		t.Errorf("against the stored one: %v", err)
	}
	if _, err := importer(m).Import(t.Context(), Request{Source: "openmetrics", URIs: []string{a}}); err != nil {
		t.Errorf("the same cluster again: %v", err)
	}
}

func TestOneMachineInTwoClustersIsRefused(t *testing.T) {
	m := newMemory()
	root := write(t, map[string]string{"a.om": metrics("GPU-a", "aws:///us-east-1a/i-1")})
	m.sightings = []Sighting{
		{Cluster: "prod", Thing: "aws:///us-east-1a/i-1", Seen: period.Interval{From: 1760000000, To: 1760010000}},
	}
	s, err := importer(m).Import(t.Context(), Request{Source: "openmetrics", URIs: []string{root}})
	if err == nil || !strings.Contains(err.Error(), "--cluster prod") || s.State != ImportRefused {
		t.Errorf("known in another cluster: %v", err)
	}
	mustImport(t, m, Request{Source: "openmetrics", URIs: []string{root}, Cluster: "prod"})
}

func TestPublicSamplesThroughTheImporter(t *testing.T) {
	root := billtest.Samples(t, "aws-cur2")
	m := newMemory()
	s := mustImport(t, m, Request{Source: "auto", URIs: []string{root}})
	if s.Files != 6 || s.Accepted != 803+20+4+2*2283 || len(s.Deliveries) != 5 {
		t.Errorf("%+v", s)
	}
	var same int
	for _, d := range s.Deliveries {
		if d.State == DeliveryUnchanged && d.Rows == 2283 {
			same++
		}
	}
	if same != 1 || len(m.current) != 4 {
		t.Errorf("%d unchanged, %d current", same, len(m.current))
	}
	if s = mustImport(t, m, Request{Source: "aws-cur", URIs: []string{root}}); s.State != ImportUnchanged {
		t.Errorf("again: %+v", s.Deliveries)
	}
	for _, c := range m.charges {
		seen := map[ledger.ID]bool{}
		for i := range c {
			seen[c[i].ID] = true
		}
		if len(seen) != len(c) {
			t.Error("charge ids repeat")
		}
	}
}

func TestRejectedLinesOfTelemetryAreCountedAndTheRestIsPublished(t *testing.T) {
	m := newMemory()
	root := write(t, map[string]string{
		"m.om": strings.Replace(metrics("GPU-a", "aws:///us-east-1a/i-1"), "# EOF",
			"DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-a\",Hostname=\"node-1\"} lots 1760000060\n# EOF", 1),
	})
	s, err := importer(m).Import(t.Context(), Request{Source: "openmetrics", URIs: []string{root}})
	var refused *RefusedError
	if !errors.As(err, &refused) || refused.Whole || !strings.Contains(err.Error(), "m.om line 4") {
		t.Fatalf("%v", err)
	}
	if s.State != ImportPublished || s.Rejected != 1 || s.Accepted != 2 || m.samples != 1 ||
		s.RowsRead != s.Accepted+s.Rejected+s.Ignored {
		t.Errorf("%+v, %d samples", s, m.samples)
	}
}

// A fault of one delivery does not affect the others.
func TestOneBadDeliveryLeavesTheOthers(t *testing.T) {
	good := cur(curRow(1, "55.04"))
	other := strings.ReplaceAll(good, "111122223333", "999988887777")
	for name, c := range map[string]struct {
		files     map[string]string
		published int
		want      []string
		reasons   map[string]int64
	}{
		"a bad row": {
			map[string]string{"a.csv": cur(curRow(1, "cheap")), "b.csv": other}, 1,
			[]string{"a.csv line 2", "the others were published"}, map[string]int64{"not a number": 1},
		},
		"a truncated part": {
			map[string]string{"x/e-00001.csv": good, "x/e-00002.csv.gz": pack(t, good)[:120], "y/b.csv": other},
			1, []string{"e-00002.csv.gz", "e-00001.csv"}, map[string]int64{"truncated file": 1},
		},
		"a numbered part": {
			map[string]string{"x/e-00001.csv": good, "x/e-00002.csv": "PAR1", "y/b.csv": other}, 1,
			[]string{"e-00002.csv", "incomplete delivery"}, map[string]int64{"incomplete delivery": 1},
		},
		"no order": {
			map[string]string{"x/a.csv": good, "y/a.csv": cur(curRow(1, "1")), "z/b.csv": other},
			1, []string{"no order"}, map[string]int64{"no order": 1},
		},
		"a bad manifest": {
			map[string]string{"x/e-Manifest.json": `{"exportArn":`, "x/a.csv": good, "y/b.csv": other},
			1, []string{"e-Manifest.json", "broken manifest"}, map[string]int64{"broken manifest": 1},
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMemory()
			im, passes := importer(m), map[int]string{}
			im.Progress = func(p Progress) {
				if p.PhaseNumber > 0 { // else manifests are read
					passes[p.PhaseNumber] = p.Phase
				}
			}
			s, err := im.Import(t.Context(), Request{Source: "aws-cur", URIs: []string{write(t, c.files)}})
			if err == nil || s == nil || s.State != ImportPublished || len(s.Deliveries) != c.published ||
				len(m.current) != c.published || m.open != 0 {
				t.Fatalf("error %v, summary %+v", err, s)
			}
			if want := map[int]string{1: "survey", 2: "read", 3: "publish"}; !maps.Equal(passes, want) { // whatever was refused
				t.Errorf("passes over the files: %v", passes)
			}
			for _, w := range c.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("error %q lacks %q", err, w)
				}
			}
			for reason, n := range c.reasons {
				if s.RejectedByReason[reason] != n {
					t.Errorf("%s: %v", reason, s.RejectedByReason)
				}
			}
			for _, d := range m.current {
				if d.Scope != "999988887777" {
					t.Errorf("published %+v", d)
				}
			}
		})
	}
}

// Every unread file is named, each on a separate line, however many there are and however many
// rows are faulty as well; the journal's message is one line.
func TestEveryRefusedFileIsNamed(t *testing.T) {
	const bad = 1200
	files := map[string]string{"good.csv": cur(curRow(1, "55.04"))}
	for i := range bad {
		files[fmt.Sprintf("x%d/bad.csv.gz", i)] = "no gzip"
	}
	rows := make([]string, ledger.MaxTallied+10)
	for i := range rows {
		rows[i] = curRow(i+1, "cheap")
	}
	files["y/rows.csv"] = strings.ReplaceAll(cur(rows...), "111122223333", "999988887777")
	m := newMemory()
	s, err := importer(m).Import(t.Context(), Request{Source: "aws-cur", URIs: []string{write(t, files)}})
	if err == nil || s == nil || s.State != ImportPublished || s.Refused != bad || s.Rejected != int64(len(rows)) {
		t.Fatalf("error %v, summary %+v", err, s)
	}
	lines := strings.Split(err.Error(), "\n")
	for i := range bad {
		name := fmt.Sprintf("x%d/bad.csv.gz", i)
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "  "+name+" line 1") }) {
			t.Fatalf("no line names %s:\n%.600s", name, err)
		}
		if !slices.ContainsFunc(s.Rejections, func(r Rejection) bool { return r.File == name && r.Whole }) {
			t.Fatalf("the summary does not name %s", name)
		}
	}
	if want := 1 + bad + fewRows + 1; len(lines) != want ||
		lines[len(lines)-1] != fmt.Sprintf("  and %d more: gpuledger report rejections", len(rows)-fewRows) {
		t.Errorf("%d lines, want %d; the last is %q", len(lines), want, lines[len(lines)-1])
	}
	if len(s.Rejections) != bad+shownRows || strings.Contains(s.Message, "\n") || !strings.Contains(s.Message, "more)") {
		t.Errorf("%d rejections, message %.300q", len(s.Rejections), s.Message)
	}
}

func TestDetect(t *testing.T) {
	for text, want := range map[string]Detection{
		"\ufeff" + curHeader:                                  {Source: SourceAWSCUR},
		`{"exportArn":"x","dataFiles":[]}`:                    {Source: SourceAWSCUR, Manifest: true},
		" [\n{\"detail-type\":\"x\"}]":                        {Source: SourceSpotEvents},
		`{"Type":"Notification","Message":"{\"detail-type\"`:  {Source: SourceSpotEvents},
		"# prices\nrates:\n- a\n":                             {Source: SourcePriceBook},
		"# HELP a b\n# TYPE a gauge\na 1\n":                   {Source: SourceOpenMetrics},
		"DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",x=\"a b\"} 5 1.7e9\n": {Source: SourceOpenMetrics},
		"up 1 1700000000000\n":                                {Source: SourceOpenMetrics},
		"hello world, this is prose\n":                        {},
		"{}":                                                  {},
		"":                                                    {},
		"a,b,c\n1,2,3\n":                                      {},
	} {
		root := write(t, map[string]string{"file": text})
		files, err := blob.Stores(nil).List(t.Context(), root)
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		if got, err := Detect(files[0]); err != nil || got != want {
			t.Errorf("%.40q: %+v %v, want %+v", text, got, err, want)
		}
	}
}

func FuzzDetect(f *testing.F) {
	f.Add([]byte(curHeader))
	f.Add([]byte("# TYPE a gauge\na 1\n"))
	f.Fuzz(func(t *testing.T, head []byte) { detectText(head) })
}
