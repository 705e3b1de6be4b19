package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/klauspost/compress/zstd"

	"gpuledger/internal/store"
	"gpuledger/test/pgtest"
	"gpuledger/test/tier"
)

// realPrometheus runs a Prometheus over samples of an OpenMetrics file and returns its address. If no
// Prometheus is installed, the test is skipped.
func realPrometheus(t *testing.T, file string) string {
	t.Helper()
	for _, program := range []string{"prometheus", "promtool"} {
		if _, err := exec.LookPath(program); err != nil {
			tier.Absent(t, "no ", program, " here (.ci/ensure-prometheus installs it)")
		}
	}
	data := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "promtool", "tsdb", "create-blocks-from", "openmetrics", "--quiet",
		file, data).CombinedOutput(); err != nil {
		t.Fatalf("promtool: %v\n%s", err, clip(string(out)))
	}
	conf := filepath.Join(data, "prometheus.yml")
	if err := os.WriteFile(conf, []byte("global: {scrape_interval: 1h}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, "prometheus", "--config.file="+conf, "--storage.tsdb.path="+data,
		"--storage.tsdb.retention.time=100y", "--web.listen-address="+addr, "--log.level=error")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	var log bytes.Buffer
	cmd.Stderr = &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		_ = cmd.Wait() // the interrupt ends it
	})
	// another process has no channel
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		resp, err := http.Get("http://" + addr + "/-/ready")
		if err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return "http://" + addr
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("prometheus is not ready: %s", clip(log.String()))
		}
	}
}

// someHours writes the telemetry of the small fleet's first hours as one
// OpenMetrics file.
func someHours(t *testing.T, dir string, hours int64) (path string, from, to int64) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "telemetry", "*", "*.prom.zst"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	path = filepath.Join(t.TempDir(), "hours.om")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(out)
	for _, name := range files {
		if err := eachLine(name, func(line string) {
			at := line[strings.LastIndexByte(line, ' ')+1:]
			s, err := strconv.ParseFloat(at, 64)
			if err != nil || line[0] == '#' {
				return
			}
			if from == 0 {
				from = (int64(s)/3600 + 8) * 3600
				to = from + hours*3600
			}
			if int64(s) >= from && int64(s) < to {
				_, _ = w.WriteString(line + "\n") // Flush reports
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	_, _ = w.WriteString("# EOF\n")
	if err := errors.Join(w.Flush(), out.Close()); err != nil {
		t.Fatal(err)
	}
	return path, from, to
}

func eachLine(name string, line func(string)) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	unpacked, err := zstd.NewReader(file)
	if err != nil {
		return err
	}
	defer unpacked.Close()
	lines := bufio.NewScanner(unpacked)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if lines.Text() != "" {
			line(lines.Text())
		}
	}
	return lines.Err()
}

// telemetryTables are the tables of telemetry.
var telemetryTables = []string{"node_facts", "devices", "sample_hours", "hold_evidence", "node_state_hours",
	"source_hours", "workload_facts",
	"pod_state_hours", "objects", "checkpoint_facts", "placements", "segment_facts", "workload_events", "counter_hours"}

// facts is every row of every table of facts.
func facts(t *testing.T, db string) map[string]string {
	t.Helper()
	conn := connect(t, db)
	all := map[string]string{}
	for _, table := range telemetryTables {
		rows, err := conn.Query(t.Context(), "select to_jsonb(x)::text from "+table+" x order by 1")
		if err != nil {
			t.Fatal(err)
		}
		list, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatalf("%s: %v", table, err)
		}
		all[table] = strings.Join(list, "\n")
	}
	return all
}

func sameFacts(t *testing.T, want, got map[string]string) {
	t.Helper()
	filled := 0
	for _, table := range telemetryTables {
		if want[table] != "" {
			filled++
		}
		if want[table] == got[table] {
			continue
		}
		a, b := strings.Split(want[table], "\n"), strings.Split(got[table], "\n")
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				t.Errorf("%s: %d and %d rows, the first that differ:\n%s\n%s", table, len(a), len(b), clip(a[i]), clip(b[i]))
				break
			}
		}
		if len(a) != len(b) {
			t.Errorf("%s: %d rows, want %d", table, len(b), len(a))
		}
	}
	if filled < 8 {
		t.Errorf("only %d tables hold anything", filled)
	}
}

func TestABackfillEqualsTheFile(t *testing.T) {
	file, from, to := someHours(t, smallFleet(t), 3)
	server := realPrometheus(t, file)
	direct := "--database-url=" + pgtest.New(t, store.MigrateDSN)
	must(t, direct, "import", "openmetrics", file, "--cluster", "c1")
	want := facts(t, direct)

	asked := "--database-url=" + pgtest.New(t, store.MigrateDSN)
	at := func(s int64) string { return time.Unix(s, 0).UTC().Format(time.RFC3339) }
	var sum struct {
		State                       string
		Files                       int
		RowsRead                    int64 `json:"rows_read"`
		Accepted, Ignored, Rejected int64
	}
	text := must(t, asked, "import", "prometheus", server, "--cluster", "c1", "--from", at(from), "--to", at(to),
		"--output", "json")
	if err := json.Unmarshal([]byte(text), &sum); err != nil || sum.State != "published" || sum.Files != 3 ||
		sum.RowsRead == 0 || sum.RowsRead != sum.Accepted+sum.Ignored+sum.Rejected {
		t.Errorf("%v %s", err, clip(text))
	}
	sameFacts(t, want, facts(t, asked))

	// Again, and in other pieces: no rows change.
	must(t, asked, "import", "prometheus", server, "--cluster", "c1", "--from", at(from+1801), "--to", at(to-77))
	sameFacts(t, want, facts(t, asked))

	// A proxy that goes away in the middle: stored data stay, and the same command continues from there.
	broken := "--database-url=" + pgtest.New(t, store.MigrateDSN)
	proxy := &flaky{to: server, until: to - 3600}
	address := proxy.start(t)
	long := []string{
		broken, "import", "prometheus", address, "--cluster", "c1", "--from", at(from - 23*3600), "--to", at(to),
	}
	if code, _, errs := gpuledger(t, long...); code != exitFailed || !strings.Contains(errs, "the others were published") {
		t.Fatalf("status %d: %s", code, clip(errs))
	}
	if n := scan[int64](t, connect(t, broken), "select count(*) from sample_hours"); n == 0 {
		t.Error("nothing of what was read is stored")
	}
	proxy.until = 0
	before := proxy.questions
	must(t, long...)
	if n := proxy.questions - before; n > 10 {
		t.Errorf("%d questions to go on", n)
	}
	sameFacts(t, want, facts(t, broken))
}

// flaky passes queries on until one is about a given time.
type flaky struct {
	to        string
	until     int64 // unix seconds; 0: for ever
	questions int
}

func (f *flaky) start(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: f, ReadHeaderTimeout: time.Minute}
	go func() { _ = s.Serve(l) }() // Close ends it
	t.Cleanup(func() { _ = s.Close() })
	return "http://" + l.Addr().String()
}

func (f *flaky) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.questions++
	if err := r.ParseForm(); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if at, err := strconv.ParseFloat(r.Form.Get("time"), 64); err == nil && f.until > 0 && int64(at) >= f.until {
		http.Error(w, "gone", http.StatusBadRequest)
		return
	}
	resp, err := http.Get(f.to + r.URL.Path + "?" + r.Form.Encode())
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer func() { _ = resp.Body.Close() }()
	w.WriteHeader(resp.StatusCode)
	if _, err := io.Copy(w, resp.Body); err != nil {
		panic(fmt.Sprint("proxy: ", err))
	}
}
