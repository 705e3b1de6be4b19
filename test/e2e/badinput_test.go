package e2e

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"gpuledger/internal/fleetsim"
)

// oneDay writes a day of a small fleet, its bill as CSV, and returns its folder. Telemetry ends after the first hours:
// a full day is half a gigabyte of text.
func oneDay(t testing.TB) string {
	t.Helper()
	cfg := fleetsim.Preset(fleetsim.Small)
	cfg.Days, cfg.BillLagHours, cfg.CSV = 1, 6, true
	dir, err := simulate("one-day", cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range find(t, dir, "*.prom.zst") {
		endAt(t, path, cfg.Start.Add(6*time.Hour))
	}
	return dir
}

// endAt leaves out samples from an instant on.
func endAt(t testing.TB, path string, end time.Time) {
	t.Helper()
	r, err := zstd.NewReader(bytes.NewReader(read(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		line := lines.Text()
		at, err := strconv.ParseFloat(line[strings.LastIndexByte(line, ' ')+1:], 64)
		if err == nil && !strings.HasPrefix(line, "#") && at >= float64(end.Unix()) {
			continue
		}
		if _, err := io.WriteString(w, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(lines.Err(), w.Close()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// find returns the files below dir whose base name fits.
func find(t testing.TB, dir, pattern string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		ok, err := filepath.Match(pattern, d.Name())
		if ok {
			found = append(found, path)
		}
		return err
	})
	if err != nil || len(found) == 0 {
		t.Fatalf("no %s below %s: %v", pattern, dir, err)
	}
	return found
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func unpack(t testing.TB, path string) string {
	t.Helper()
	var in io.Reader
	var err error
	if strings.HasSuffix(path, ".gz") {
		in, err = gzip.NewReader(bytes.NewReader(read(t, path)))
	} else {
		in, err = zstd.NewReader(bytes.NewReader(read(t, path)))
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func gzipped(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// bill is a CSV bill that can be changed cell by cell.
type bill struct {
	header []string
	rows   [][]string
}

func readBill(t testing.TB, text string) bill {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return bill{records[0], records[1:]}
}

// with returns the text with one cell changed; line counts as in the file.
func (b bill) with(t testing.TB, line int, column, value string) string {
	t.Helper()
	rows := slices.Clone(b.rows)
	row := slices.Clone(rows[line-2])
	at := slices.Index(b.header, column)
	if at < 0 {
		t.Fatalf("the bill has no %s", column)
	}
	row[at] = value
	rows[line-2] = row
	return bill{b.header, rows}.text(t)
}

// without returns the text without a column.
func (b bill) without(t testing.TB, column string) string {
	t.Helper()
	at := slices.Index(b.header, column)
	cut := bill{header: slices.Delete(slices.Clone(b.header), at, at+1)}
	for _, row := range b.rows {
		cut.rows = append(cut.rows, slices.Delete(slices.Clone(row), at, at+1))
	}
	return cut.text(t)
}

func (b bill) text(t testing.TB) string {
	t.Helper()
	var out strings.Builder
	if err := csv.NewWriter(&out).WriteAll(append([][]string{b.header}, b.rows...)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// importSummary is the one object that import --output json prints.
type importSummary struct {
	State            string
	Files            *int
	RowsRead         *int64           `json:"rows_read"`
	Accepted         *int64           `json:"accepted"`
	Rejected         *int64           `json:"rejected"`
	Ignored          int64            `json:"ignored"`
	Refused          int64            `json:"refused"`
	RejectedByReason map[string]int64 `json:"rejected_by_reason"`
	ControlTotals    []struct {
		Metric      string
		SourceTotal string `json:"source_total"`
	} `json:"control_totals"`
	Seconds *float64
}

func summaryOf(t testing.TB, stdout string) importSummary {
	t.Helper()
	var sum importSummary
	dec := json.NewDecoder(strings.NewReader(stdout))
	if err := dec.Decode(&sum); err != nil {
		t.Fatalf("no summary: %v\n%s", err, clip(stdout))
	}
	if _, err := dec.Token(); err != io.EOF {
		t.Errorf("more than one object: %s", clip(stdout))
	}
	if sum.Files == nil || sum.RowsRead == nil || sum.Accepted == nil || sum.Rejected == nil ||
		sum.RejectedByReason == nil || sum.ControlTotals == nil || sum.Seconds == nil {
		t.Errorf("the summary lacks something: %s", clip(stdout))
	}
	return sum
}

// factTables are the tables in which an import's facts become visible.
var factTables = []string{"deliveries", "charge_rows", "charge_items", "control_totals", "charge_tags", "coverage",
	"rates", "node_facts", "devices", "sample_hours",
	"hold_evidence", "node_state_hours", "source_hours", "workload_facts", "pod_state_hours",
	"objects", "checkpoint_facts", "instance_events", "counter_hours", "dirty"}

func nothingVisible(t testing.TB, conn *pgx.Conn) {
	t.Helper()
	for _, table := range factTables {
		if n := scan[int](t, conn, "select count(*) from "+table); n > 0 {
			t.Errorf("%d rows of %s are visible", n, table)
		}
	}
}

// TestBadInput imports broken files, one error at a time: each is refused with a reason and the place, and no rows
// become visible; then good data go into the same database.
func TestBadInput(t *testing.T) {
	good := oneDay(t)
	billFile := find(t, good, "*.csv.gz")[0]
	b := readBill(t, unpack(t, billFile))
	parquet := read(t, find(t, smallFleet(t), "*.parquet")[0])
	metrics := unpack(t, find(t, good, "dcgm-*")[0])
	firstLines := strings.SplitAfterN(metrics, "\n", 12)
	sample := firstLines[5]
	book := string(read(t, find(t, good, "price-book.yaml")[0]))
	events := string(read(t, find(t, good, "ec2-*.json")[0]))
	ambiguous := strings.Replace(sample, sample[:strings.IndexByte(sample, '{')], "DCGM_FI_DEV_GPU_UTIL_RATIO", 1)

	db := freshDatabase(t)
	conn := connect(t, db)
	for name, c := range map[string]struct {
		source string
		file   string
		data   []byte
		says   []string // on standard error
		reason string   // counted
	}{
		"truncated gzip": {
			"aws-cur", "b.csv.gz", gzipped(t, b.text(t))[:4000], []string{"b.csv.gz"}, "truncated file",
		},
		"truncated gzip, auto": {"auto", "b.csv.gz", gzipped(t, b.text(t))[:4000], []string{"b.csv.gz"}, "truncated file"},
		"no gzip": {
			"aws-cur", "b.csv.gz", append([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3}, "no deflate stream at all"...),
			[]string{"b.csv.gz"}, "damaged file",
		},
		"broken Parquet footer": {
			"auto", "b.parquet", parquet[:len(parquet)-200], []string{"b.parquet", "broken parquet"}, "broken parquet",
		},
		"damaged Parquet footer": {
			"aws-cur", "b.parquet", damage(parquet, len(parquet)-400, 300),
			[]string{"b.parquet", "broken parquet"}, "broken parquet",
		},
		"damaged Parquet page": {"aws-cur", "b.parquet", damage(parquet, 300, 2000), []string{"b.parquet"}, ""},
		"missing column": {
			"aws-cur", "b.csv", []byte(b.without(t, "line_item_usage_start_date")),
			[]string{"b.csv line 1", "line_item_usage_start_date", "missing required column"}, "missing required column",
		},
		"missing cost": {
			"auto", "b.csv.gz", gzipped(t, b.without(t, "line_item_unblended_cost")),
			[]string{"b.csv.gz line 1", "line_item_unblended_cost"}, "missing required column",
		},
		"text in a cost": {
			"aws-cur", "b.csv", []byte(b.with(t, 7, "line_item_unblended_cost", "12,50")),
			[]string{"b.csv line 7", "line_item_unblended_cost", "12,50"}, "not a number",
		},
		"text in a date": {
			"aws-cur", "b.csv", []byte(b.with(t, 9, "line_item_usage_start_date", "monday")),
			[]string{"b.csv line 9", "line_item_usage_start_date", "monday"}, "not a date",
		},
		"unknown unit": {
			"aws-cur", "b.csv", []byte(b.with(t, b.line("Hrs", "pricing_unit"), "pricing_unit", "Furlongs")),
			[]string{"b.csv line", "pricing_unit", "Furlongs"}, "unknown unit",
		},
		"unknown currency": {
			"aws-cur", "b.csv", []byte(b.with(t, 4, "line_item_currency_code", "dollars")),
			[]string{"b.csv line 4", "line_item_currency_code", "dollars"}, "unknown unit",
		},
		"a bill cut inside a row": {"aws-cur", "b.csv", []byte(b.text(t)[:5000]), []string{"b.csv line"}, ""},
		"an ambiguous metric": {
			"openmetrics", "m.prom", []byte(ambiguous + "# EOF\n"),
			[]string{"m.prom line 1", "name", "ambiguous unit"}, "ambiguous unit",
		},
		"telemetry without end": {
			"openmetrics", "m.prom", []byte(strings.Join(firstLines[:11], "")), []string{"m.prom", "EOF"}, "truncated file",
		},
		"text for a sample": {
			"openmetrics", "m.prom", []byte(strings.Replace(sample, "} ", "} high", 1) + "# EOF\n"),
			[]string{"m.prom line 1", "value", "not a number"}, "not a number",
		},
		"a sample without time": {
			"openmetrics", "m.prom", []byte(sample[:strings.LastIndexByte(sample, ' ')] + "\n# EOF\n"),
			[]string{"m.prom line 1", "timestamp"}, "no timestamp",
		},
		"a price that is text": {
			"price-book", "p.yaml", []byte(strings.Replace(book, `"55.04"`, "dear", 1)),
			[]string{"p.yaml line 3", "hourly", "not a number"}, "not a number",
		},
		"a price of no currency": {
			"auto", "p.yaml", []byte(strings.Replace(book, "USD, h", "bucks, h", 1)),
			[]string{"p.yaml line 3", "currency", "bucks"}, "unknown unit",
		},
		"broken events": {
			"spot-events", "e.json", []byte(events[:len(events)-40]), []string{"e.json line"}, "broken json",
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, c.file)
			if err := os.WriteFile(path, c.data, 0o644); err != nil {
				t.Fatal(err)
			}
			for _, uri := range []string{path, dir} {
				code, stdout, stderr := gpuledger(t, db, "import", c.source, uri, "--output=json")
				sum := summaryOf(t, stdout)
				if code != exitFailed || sum.State != "refused" || *sum.Rejected+sum.Refused < 1 || *sum.Accepted != 0 ||
					*sum.RowsRead != *sum.Rejected+sum.Ignored || len(sum.ControlTotals) != 0 {
					t.Errorf("status %d, %s", code, stdout)
				}
				if c.reason != "" && sum.RejectedByReason[c.reason] < 1 {
					t.Errorf("%q is not counted: %v", c.reason, sum.RejectedByReason)
				}
				for _, say := range append(c.says, "import ", "nothing was published") {
					if !strings.Contains(stderr, say) {
						t.Errorf("it does not say %q: %s", say, stderr)
					}
				}
				nothingVisible(t, conn)
			}
		})
	}
	t.Run("requests", func(t *testing.T) {
		empty := t.TempDir()
		for _, c := range []struct {
			args []string
			code int
			says []string
		}{
			{[]string{"aws-bill", good}, exitUsage, []string{"source", "aws-bill", "aws-cur, gcp-billing"}},
			{[]string{"auto", filepath.Join(empty, "gone")}, exitFailed, []string{"gone", "no such file"}},
			{[]string{"auto", empty}, exitFailed, []string{"nothing to import"}},
			{[]string{"openmetrics", billFile}, exitFailed, []string{filepath.Base(billFile)}},
			{
				[]string{"aws-cur", find(t, good, "price-book.yaml")[0]},
				exitFailed, []string{"price-book.yaml", "missing required column"},
			},
			{[]string{"spot-events", filepath.Dir(billFile)}, exitFailed, []string{"nothing to import", "spot-events"}},
		} {
			code, _, stderr := gpuledger(t, append([]string{db, "import", "--output=json"}, c.args...)...)
			if code != c.code {
				t.Errorf("%v: status %d, want %d", c.args, code, c.code)
			}
			for _, say := range c.says {
				if !strings.Contains(stderr, say) {
					t.Errorf("%v does not say %q: %s", c.args, say, stderr)
				}
			}
			nothingVisible(t, conn)
		}
	})
	journal := decodeCSV(t, must(t, db, "report", "imports", "--format=csv"))
	for _, row := range journal.rows {
		if row[journal.column(t, "state")] != "refused" || row[journal.column(t, "message")] == "" ||
			row[journal.column(t, "finished_at")] == "" {
			t.Errorf("the journal says %v", row)
		}
	}

	calm := freshDatabase(t)
	sum := summaryOf(t, must(t, calm, "import", "auto", good, "--output=json"))
	if *sum.Rejected != 0 || *sum.Files < 6 || *sum.RowsRead != *sum.Accepted+sum.Ignored || len(sum.ControlTotals) != 4 {
		t.Errorf("good data: %+v", sum)
	}
	must(t, calm, "allocate")
	want := ledgerOf(t, calm)

	t.Run("good data afterwards", func(t *testing.T) {
		must(t, db, "import", "auto", good)
		must(t, db, "allocate")
		must(t, db, "verify")
		sameLedger(t, want, ledgerOf(t, db))
	})
	t.Run("one bad line among good ones", func(t *testing.T) { badLine(t, good, want) })
	t.Run("unsorted and repeated samples", func(t *testing.T) { unsorted(t, good, want) })
}

// line is the first line with a value in a column.
func (b bill) line(value, column string) int {
	at := slices.Index(b.header, column)
	return 2 + slices.IndexFunc(b.rows, func(row []string) bool { return row[at] == value })
}

func damage(data []byte, from, n int) []byte {
	out := bytes.Clone(data)
	for i := from; i < from+n; i++ {
		out[i] ^= 0x5a
	}
	return out
}

// badLine: a rejected line of telemetry is counted and the rest is imported.
func badLine(t *testing.T, good string, want map[string]string) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(good)); err != nil {
		t.Fatal(err)
	}
	path := find(t, dir, "dcgm-*")[0]
	lines := strings.SplitAfter(unpack(t, path), "\n")
	at := slices.IndexFunc(lines, func(l string) bool { return l != "" && l[0] != '#' })
	bad := strings.Replace(lines[at], "} ", "} much", 1)
	lines = slices.Insert(lines, at, bad)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "dcgm.prom"), []byte(strings.Join(lines, "")),
		0o644); err != nil {
		t.Fatal(err)
	}
	db := freshDatabase(t)
	code, stdout, stderr := gpuledger(t, db, "import", "auto", dir, "--output=json")
	if sum := summaryOf(t, stdout); code != exitFailed || *sum.Rejected != 1 ||
		*sum.RowsRead != *sum.Accepted+sum.Ignored+1 || sum.RejectedByReason["not a number"] != 1 {
		t.Errorf("status %d, %s", code, clip(stdout))
	}
	if !strings.Contains(stderr, fmt.Sprintf("dcgm.prom line %d, column value: not a number", at+1)) ||
		!strings.Contains(stderr, "the others were published") {
		t.Errorf("it says %s", stderr)
	}
	must(t, db, "allocate")
	sameLedger(t, want, ledgerOf(t, db))
}

// unsorted: samples in any order and more than once give the same ledger.
func unsorted(t *testing.T, good string, want map[string]string) {
	random := seeded(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(good)); err != nil {
		t.Fatal(err)
	}
	for _, path := range append(find(t, dir, "dcgm-*"), find(t, dir, "kube-state-metrics-*")...) {
		if err := os.WriteFile(strings.TrimSuffix(path, ".zst"), []byte(shuffled(unpack(t, path), random)),
			0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	db := freshDatabase(t)
	out := must(t, db, "import", "auto", dir)
	for _, note := range []string{"older than the sample before", "repeated sample"} {
		if !strings.Contains(out, note) {
			t.Errorf("nothing is noted as %q:\n%s", note, out)
		}
	}
	must(t, db, "allocate")
	sameLedger(t, want, ledgerOf(t, db))
}

// shuffled moves samples about, repeats some, and leaves the last line.
func shuffled(text string, random *rand.Rand) string {
	var samples []string
	for line := range strings.Lines(text) {
		if line[0] != '#' {
			samples = append(samples, line)
		}
	}
	samples = append(samples, samples[:len(samples)/20]...)
	random.Shuffle(len(samples), func(i, j int) { samples[i], samples[j] = samples[j], samples[i] })
	return strings.Join(samples, "") + "# EOF\n"
}
