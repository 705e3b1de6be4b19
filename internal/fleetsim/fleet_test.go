package fleetsim

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"gpuledger/internal/fleetsim/world"
)

func oneDay(seed int64) world.Config {
	c := world.Preset(world.Small)
	c.Seed, c.Days, c.BillLagHours = seed, 1, 6
	return c
}

func written(t *testing.T, cfg world.Config) (string, *Manifest) {
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
			if suffix, ok := strings.CutPrefix(p[1], family); !ok ||
				!slices.Contains([]string{"", "_total", "_bucket", "_count", "_sum"}, suffix) {
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

func TestRefusals(t *testing.T) {
	for name, change := range map[string]func(*world.Config){
		"no start":     func(c *world.Config) { c.Start = time.Time{} },
		"mid-day":      func(c *world.Config) { c.Start = c.Start.Add(time.Hour) },
		"no days":      func(c *world.Config) { c.Days = 0 },
		"no GPUs":      func(c *world.Config) { c.GPUs = 0 },
		"no bill":      func(c *world.Config) { c.BillLagHours = 48 },
		"chunks":       func(c *world.Config) { c.ChunkRows = -1 },
		"all discount": func(c *world.Config) { c.EDPPercent = 100 },
	} {
		c := world.Preset(world.Small)
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
