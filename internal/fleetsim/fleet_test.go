package fleetsim

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

func oneDay(seed int64) Config {
	c := Preset(Small)
	c.Seed, c.Days, c.BillLagHours = seed, 1, 6
	return c
}

func written(t *testing.T, cfg Config) (string, *Manifest) {
	t.Helper()
	f, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	m, err := f.WriteTo(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir, m
}

func digests(t *testing.T, dir string) map[string][32]byte {
	t.Helper()
	out := map[string][32]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[rel] = sha256.Sum256(body)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestSameSeedSameBytes(t *testing.T) {
	a, _ := written(t, oneDay(5))
	b, _ := written(t, oneDay(5))
	c, _ := written(t, oneDay(6))
	da, db, dc := digests(t, a), digests(t, b), digests(t, c)
	if len(da) != len(db) {
		t.Fatalf("%d files, then %d", len(da), len(db))
	}
	for name, d := range da {
		if db[name] != d {
			t.Errorf("%s: the same seed gave other bytes", name)
		}
		if name != "price-book.yaml" && dc[name] == d {
			t.Errorf("%s: another seed gave the same bytes", name)
		}
	}
}

var sampleLine = regexp.MustCompile(`^([a-zA-Z_:][a-zA-Z0-9_:]*)\{([^}]*)\} (-?[0-9]+(?:\.[0-9]+)?) ([0-9]{10}\.[0-9]{3})$`)

// TestOpenMetrics: families in one piece, series in one piece and in order of
// time, every line well formed, # EOF at the end.
func TestOpenMetrics(t *testing.T) {
	dir, m := written(t, oneDay(2))
	var lines int64
	for _, rel := range m.Telemetry {
		f, err := os.Open(filepath.Join(dir, rel))
		if err != nil {
			t.Fatal(err)
		}
		zr, err := zstd.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		families, series := map[string]bool{}, map[string]bool{}
		family, current, last, final := "", "", "", ""
		sc := bufio.NewScanner(zr)
		for sc.Scan() {
			text := sc.Text()
			final = text
			if name, ok := strings.CutPrefix(text, "# TYPE "); ok {
				family = name[:strings.IndexByte(name, ' ')]
				if families[family] {
					t.Fatalf("%s: family %s comes twice", rel, family)
				}
				families[family] = true
			}
			if strings.HasPrefix(text, "#") {
				continue
			}
			lines++
			p, ok := splitSample(text)
			if !ok || lines%50 == 0 && !sampleLine.MatchString(text) {
				t.Fatalf("%s: bad line %q", rel, text)
			}
			if suffix, ok := strings.CutPrefix(p[1], family); !ok || !slices.Contains([]string{"", "_total", "_bucket", "_count", "_sum"}, suffix) {
				t.Fatalf("%s: %s under family %s", rel, p[1], family)
			}
			if key := text[:len(p[1])+len(p[2])]; key != current {
				if series[key] {
					t.Fatalf("%s: series %s comes in two pieces", rel, key)
				}
				series[key], current, last = true, key, ""
			}
			if p[4] <= last {
				t.Fatalf("%s: %s at %s after %s", rel, current, p[4], last)
			}
			last = p[4]
		}
		if sc.Err() != nil || final != "# EOF" {
			t.Fatalf("%s: ends with %q, %v", rel, final, sc.Err())
		}
		zr.Close()
		f.Close()
	}
	if lines != m.TelemetryLines {
		t.Errorf("manifest says %d lines, files have %d", m.TelemetryLines, lines)
	}
}

// splitSample is name, labels and timestamp; the full form is checked on every
// fiftieth line only, for speed.
func splitSample(text string) (p [5]string, ok bool) {
	open, end := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	at := strings.LastIndexByte(text, ' ')
	if open < 1 || end < open || at < end+3 {
		return p, false
	}
	p[1], p[2], p[4] = text[:open], text[open:end+1], text[at+1:]
	return p, true
}

// TestParquetBill reads the bill back and compares its sum with the lines.
func TestParquetBill(t *testing.T) {
	cfg := oneDay(3)
	cfg.ChunkRows = 100
	f, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	m, err := f.WriteTo(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	want, got := new(big.Rat), new(big.Rat)
	lines := f.Clusters[0].Bill.(*awsBill).lines
	for _, l := range lines {
		want.Add(want, ofDouble(l.cost))
	}
	var rows, files int64
	for _, rel := range m.AWSCUR {
		if !strings.HasSuffix(rel, ".parquet") {
			continue
		}
		files++
		pf, err := file.OpenParquetFile(filepath.Join(dir, rel), false)
		if err != nil {
			t.Fatal(err)
		}
		r, err := pqarrow.NewFileReader(pf, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
		if err != nil {
			t.Fatal(err)
		}
		tbl, err := r.ReadTable(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		i := tbl.Schema().FieldIndices("line_item_unblended_cost")[0]
		for _, c := range tbl.Column(i).Data().Chunks() {
			for _, v := range c.(*array.Float64).Float64Values() {
				got.Add(got, ofDouble(v))
			}
		}
		rows += tbl.NumRows()
		if int(tbl.NumCols()) != len(curColumns) {
			t.Errorf("%d columns, want %d", tbl.NumCols(), len(curColumns))
		}
	}
	if files < 2 || rows != int64(len(lines)) || want.Cmp(got) != 0 {
		t.Fatalf("%d rows in %d files add up to %s, want %d rows and %s", rows, files, got.FloatString(10), len(lines), want.FloatString(10))
	}
	ids := map[string]bool{}
	for _, l := range lines {
		k := l.id() + l.interval()
		if ids[k] {
			t.Fatalf("line item %s twice", k)
		}
		ids[k] = true
	}
}

func TestCSVBill(t *testing.T) {
	cfg := oneDay(3)
	cfg.CSV = true
	dir, m := written(t, cfg)
	body, err := os.ReadFile(filepath.Join(dir, m.AWSCUR[0]))
	if err != nil {
		t.Fatal(err)
	}
	zr, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	n := int64(0)
	for sc := bufio.NewScanner(zr); sc.Scan(); {
		n++
	}
	if n != m.BillLines+1 {
		t.Errorf("%d lines for %d rows", n, m.BillLines)
	}
	var manifest struct{ ExecutionID, ExportArn string }
	if body, err = os.ReadFile(filepath.Join(dir, m.AWSCUR[len(m.AWSCUR)-1])); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(body, &manifest); err != nil || manifest.ExportArn != exportARN {
		t.Errorf("manifest %s: %v", body, err)
	}
}

func TestRefusals(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"no start":     func(c *Config) { c.Start = time.Time{} },
		"mid-day":      func(c *Config) { c.Start = c.Start.Add(time.Hour) },
		"no days":      func(c *Config) { c.Days = 0 },
		"no GPUs":      func(c *Config) { c.GPUs = 0 },
		"no bill":      func(c *Config) { c.BillLagHours = 48 },
		"chunks":       func(c *Config) { c.ChunkRows = -1 },
		"all discount": func(c *Config) { c.EDPPercent = 100 },
	} {
		c := Preset(Small)
		change(&c)
		if _, err := New(c); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f, err := New(oneDay(1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteTo(ctx, t.TempDir()); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context gives %v", err)
	}
}

func TestPlaceable(t *testing.T) {
	for _, c := range []struct {
		have []string
		want string
	}{
		{[]string{"3g.20gb", "2g.10gb", "1g.5gb"}, "1/7"},
		{[]string{"3g.20gb", "3g.20gb"}, "0"},
		{[]string{"7g.40gb"}, "0"},
		{[]string{"4g.20gb"}, "15/28"},
		{[]string{"2g.10gb", "2g.10gb", "2g.10gb"}, "1/4"},
	} {
		if got := PlaceableWeight(c.have, nil, "").RatString(); got != c.want {
			t.Errorf("%v: %s, want %s", c.have, got, c.want)
		}
	}
}
