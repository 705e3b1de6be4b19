package openmetrics

import (
	"flag"
	"fmt"
	"maps"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/internal/ledger"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden reads the hand-made fixtures and compares all that they yield.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/handmade-*")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if strings.HasSuffix(f, ".golden") {
			continue
		}
		t.Run(filepath.Base(f), func(t *testing.T) {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			x, st := parse(t, string(text), Options{})
			got := render(x) + renderStats(st)
			if *update {
				if err := os.WriteFile(f+".golden", []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(f + ".golden")
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); d != "" {
				t.Error(d)
			}
		})
	}
}

// render writes telemetry as text, one fact per line.
func render(x *ledger.Telemetry) string {
	var b strings.Builder
	for _, s := range x.Samples {
		fmt.Fprintf(&b, "samples %s/%s %s gpu=%d model=%q slice=%d profile=%q %s rows=%d\n", s.Cluster, s.Node, s.Device,
			s.Index, s.Model, s.SliceID, s.Profile, s.Hour, s.RowCount)
		for _, k := range slices.Sorted(maps.Keys(s.Vectors)) {
			fmt.Fprintf(&b, "  %s%s\n", k, renderMinutes(s.Vectors[k]))
		}
	}
	for _, e := range x.Evidence {
		fmt.Fprintf(&b, "evidence %s/%s %s slice=%d %s/%s %s minutes=%s\n", e.Cluster, e.Node, e.Device, e.SliceID,
			e.Namespace, e.Pod, e.Hour, renderMask(e.Minutes))
	}
	for _, n := range x.Nodes {
		fmt.Fprintf(&b, "node %+v\n", n)
	}
	for _, n := range x.NodeStates {
		fmt.Fprintf(&b, "node state %s/%s %s %s minutes=%s known=%s\n", n.Cluster, n.Name, n.State, n.Hour,
			renderMask(n.Minutes), renderMask(n.Known))
	}
	for _, s := range x.Sources {
		fmt.Fprintf(&b, "source %s %s minutes=%s\n", s.Cluster, s.Hour, renderMask(s.Minutes))
	}
	for _, p := range x.Workloads {
		fmt.Fprintf(&b, "pod %+v\n", p)
	}
	for _, p := range x.PodStates {
		fmt.Fprintf(&b, "crash loop %s/%s %s minutes=%s\n", p.Cluster, p.UID, p.Hour, renderMask(p.Minutes))
	}
	for _, o := range x.Objects {
		fmt.Fprintf(&b, "object %+v\n", o)
	}
	for _, p := range x.Placements {
		fmt.Fprintf(&b, "placement %+v\n", p)
	}
	for _, e := range x.Events {
		fmt.Fprintf(&b, "event %+v\n", e)
	}
	for _, c := range x.Checkpoints {
		fmt.Fprintf(&b, "checkpoint %+v\n", c)
	}
	for _, h := range x.Counters {
		fmt.Fprintf(&b, "inference %s %s/%s %s model=%q engine=%q %s\n", h.Cluster, h.Namespace, h.Pod, h.Server, h.Model,
			h.Engine, h.Hour)
		for _, k := range slices.Sorted(maps.Keys(h.Counters)) {
			fmt.Fprintf(&b, "  %s%s\n", k, renderMinutes(h.Counters[k]))
		}
	}
	return b.String()
}

func renderMinutes(m ledger.Minutes) string {
	var b strings.Builder
	for i := range 60 {
		if m.Known>>i&1 == 1 {
			fmt.Fprintf(&b, " %d+%dms=%d", i, m.At[i], m.Value[i])
		}
	}
	return b.String()
}

func renderMask(m uint64) string {
	var s []string
	for ; m != 0; m &= m - 1 {
		s = append(s, fmt.Sprint(bits.TrailingZeros64(m)))
	}
	return strings.Join(s, ",")
}

func renderStats(st Stats) string {
	var b strings.Builder
	fmt.Fprintf(&b, "lines=%d samples=%d accepted=%d absent=%d ignored=%d rejected=%d duplicates=%d unsorted=%d "+
		"unlabelled=%d clusters=%v\n",
		st.Lines, st.Samples, st.Accepted, st.Absent, st.Ignored,
		st.Rejected, st.Duplicates, st.Unsorted, st.Unlabelled, st.Clusters)
	for _, k := range slices.Sorted(maps.Keys(st.IgnoredBy)) {
		fmt.Fprintf(&b, "ignored %d × %s\n", st.IgnoredBy[k], k)
	}
	for _, r := range st.Rejections {
		fmt.Fprintf(&b, "rejected %s:%d %s: %s: %s\n", r.File, r.Line, r.Column, r.Reason, r.Detail)
	}
	return b.String()
}
