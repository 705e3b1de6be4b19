package fleetsim

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"gpuledger/internal/fleetsim/world"
)

// fileSamples reads the samples of some minutes from the files whose name contains
// a word, as `name{labels} value` by minute.
func fileSamples(t *testing.T, dir string, files []string, word string, minutes map[int64]bool) map[int64][]string {
	t.Helper()
	out := map[int64][]string{}
	for _, rel := range files {
		if !strings.Contains(rel, word) {
			continue
		}
		f, err := os.Open(filepath.Join(dir, rel))
		if err != nil {
			t.Fatal(err)
		}
		zr, err := zstd.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		for sc := bufio.NewScanner(zr); sc.Scan(); {
			line := sc.Bytes()
			if bytes.HasPrefix(line, []byte("#")) {
				continue
			}
			at := bytes.LastIndexByte(line, ' ')
			second, err := strconv.ParseInt(string(line[at+1:len(line)-4]), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			if minute := second / 60 * 60; minutes[minute] {
				out[minute] = append(out[minute], string(line[:at]))
			}
		}
		zr.Close()
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// Labels that Prometheus adds to scraped series, and renames for it.
var (
	ownLabels   = regexp.MustCompile(`,?container="nvidia-dcgm-exporter",namespace="gpu-operator",pod="[^"]*"`)
	podLabels   = regexp.MustCompile(`,?namespace="[^"]*",pod="[^"]*"`)
	nodeLabel   = regexp.MustCompile(`,?node="[^"]*"`)
	clusterOnly = regexp.MustCompile(`,cluster="[^"]*"|\bcluster="[^"]*",?`)
	emptyLabels = regexp.MustCompile(`\{,?\}`)
)

func shown(body []byte) []string {
	var out []string
	for line := range strings.Lines(string(body)) {
		if !strings.HasPrefix(line, "#") {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return out
}

func untarget(lines []string, labels *regexp.Regexp) []string {
	out := make([]string, 0, len(lines))
	for _, l := range lines {
		if labels != nil {
			l = labels.ReplaceAllString(l, "")
		}
		l = clusterOnly.ReplaceAllString(strings.ReplaceAll(l, "exported_", ""), "")
		out = append(out, emptyLabels.ReplaceAllString(strings.ReplaceAll(l, "{,", "{"), "{}"))
	}
	slices.Sort(out)
	return out
}

// TestExportersShowWhatFilesHold: any second of a minute shows the samples that
// the files have of that minute, before and after a cut.
func TestExportersShowWhatFilesHold(t *testing.T) {
	whole := world.Preset(world.Small).Everywhere()
	whole.Seed = 3
	dir, m := written(t, whole)
	cut := whole
	cut.Until = whole.Start.Add(31*time.Hour + 17*time.Minute + 44*time.Second)
	f, err := New(cut)
	if err != nil {
		t.Fatal(err)
	}
	live := f.Exporters()
	r := world.NewRNG(9)
	seconds, minutes := make([]int64, 60), map[int64]bool{}
	for i := range seconds {
		minute := whole.Start.Unix() + r.Between(300, 2*1440-2)*60
		seconds[i], minutes[minute] = minute+r.Between(0, 59), true
	}
	nodes, state, vllm, training := fileSamples(t, dir, m.Telemetry, "dcgm", minutes),
		fileSamples(t, dir, m.Telemetry, "kube-state", minutes),
		fileSamples(t, dir, m.Telemetry, "vllm", minutes), fileSamples(t, dir, m.Telemetry, "training", minutes)
	servers := fileSamples(t, dir, m.Telemetry, "servers", minutes)
	hosts := fileSamples(t, dir, m.Telemetry, "hosts", minutes)
	silent := 0
	for _, at := range seconds {
		minute := at / 60 * 60
		var got []string
		for _, target := range live.NodeTargets(at) {
			body, err := live.Node(target.Node, at)
			if errors.Is(err, ErrSilent) {
				silent++
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, shown(body)...)
		}
		slices.Sort(got)
		if want := untarget(nodes[minute], ownLabels); !slices.Equal(got, want) {
			t.Fatalf("%s: exporters show %d samples, files hold %d: %q, %q", world.IsoSecond(at), len(got), len(want),
				odd(got, want), odd(want, got))
		}
		got = got[:0]
		for _, target := range live.PodTargets(at) {
			body, err := live.Pod(target.Cluster, target.Namespace, target.Pod, at)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, shown(body)...)
		}
		slices.Sort(got)
		if want := untarget(slices.Concat(vllm[minute], servers[minute], training[minute]),
			podLabels); !slices.Equal(got, want) {
			t.Fatalf("%s: pods show %d samples, files hold %d: %q, %q", world.IsoSecond(at), len(got), len(want), odd(got, want),
				odd(want, got))
		}
		got = got[:0]
		for _, target := range live.HostTargets(at) {
			body, err := live.Host(target.Node, at)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, shown(body)...)
		}
		slices.Sort(got)
		if want := untarget(hosts[minute], nodeLabel); !slices.Equal(untarget(got, nodeLabel), want) {
			t.Fatalf("%s: machines show %d samples, files hold %d: %q, %q", world.IsoSecond(at), len(got), len(want),
				odd(got, want), odd(want, got))
		}
		got = got[:0]
		for _, target := range live.ClusterTargets() {
			body, err := live.KubeState(target.Cluster, at)
			if err != nil && !errors.Is(err, ErrSilent) {
				t.Fatal(err)
			}
			got = append(got, shown(body)...)
		}
		slices.Sort(got)
		if missing := odd(untarget(state[minute], nil), got); len(missing) > 0 || len(got) < len(state[minute]) {
			t.Fatalf("%s: kube-state-metrics lack %q", world.IsoSecond(at), missing)
		}
	}
	if silent == 0 {
		t.Error("no exporter was ever silent")
	}
	if _, err := live.Node("nobody", m.From.Unix()+7200); !errors.Is(err, ErrNoTarget) {
		t.Error(err)
	}
}

// odd is the entries of the sorted list a that b lacks, a few at most.
func odd(a, b []string) []string {
	var out []string
	for _, x := range a {
		if _, there := slices.BinarySearch(b, x); !there && len(out) < 3 {
			out = append(out, x)
		}
	}
	return out
}
