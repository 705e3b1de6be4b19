package openmetrics

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"gpuledger/ingest/series"
	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
)

// FuzzParse feeds hostile text: no panic, no lost line, and only facts that a
// database can store.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/handmade-*m")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
		for line := range strings.Lines(string(text)) {
			f.Add(line)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		Detect([]byte(text))
		var all ledger.Telemetry
		st, err := Parse(t.Context(), strings.NewReader(text), "fuzz", Options{MaxPending: 64},
			func(x *ledger.Telemetry) error {
				gather(&all, x)
				return nil
			})
		checkStats(t, st)
		if lines := int64(strings.Count(text, "\n")); st.Lines < lines || st.Lines > lines+1 {
			t.Fatalf("%d lines counted of %d", st.Lines, lines)
		}
		if err != nil {
			return
		}
		checkStorable(t, &all)
	})
}

func checkStorable(t *testing.T, x *ledger.Telemetry) {
	t.Helper()
	texts := []string{}
	for _, s := range x.Samples {
		texts = append(texts, s.Cluster, s.Node, s.Device, s.Model, s.Profile)
		if s.Hour%3600 != 0 || s.Hour < series.DefaultNotBefore || s.Hour >= series.LatestTime ||
			s.SliceID < ledger.WholeDevice || s.Device == "" || s.Node == "" || len(s.Vectors) == 0 {
			t.Fatalf("%+v", s)
		}
		if b, err := minutes.Encode(nil, s.Vectors); err != nil {
			t.Fatal(err)
		} else if _, err := minutes.Decode[ledger.Signal](b); err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range x.Evidence {
		texts = append(texts, e.Namespace, e.Pod)
		if e.Minutes == 0 || e.Minutes>>60 != 0 {
			t.Fatalf("%+v", e)
		}
	}
	for _, p := range x.Workloads {
		texts = append(texts, p.UID, p.Namespace, p.Name, p.Node, p.OwnerKind, p.OwnerName, p.Phase)
		for k, v := range p.Labels {
			texts = append(texts, k, v)
		}
	}
	for _, h := range x.Counters {
		texts = append(texts, h.Model, h.Engine)
		if _, err := minutes.Encode(nil, h.Counters); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range texts {
		if !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
			t.Fatalf("text %q cannot be stored", s)
		}
	}
}
