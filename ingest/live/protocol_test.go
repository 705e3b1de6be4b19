package live_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"gpuledger/ingest/live"
	"gpuledger/ingest/remotewrite"
	"gpuledger/ingest/series"
	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
)

const (
	v1 = remotewrite.V1
	v2 = remotewrite.V2
)

// vectors are all stored minutes, by device and signal.
func (g *rig) vectors() map[string]map[ledger.Signal]map[int64]int64 {
	g.t.Helper()
	conn, err := pgx.Connect(g.t.Context(), g.dsn)
	if err != nil {
		g.t.Fatal(err)
	}
	defer conn.Close(g.t.Context())
	rows, err := conn.Query(g.t.Context(),
		"select cluster || '/' || node || '/' || device, extract(epoch from hour)::bigint, vectors from sample_hours")
	if err != nil {
		g.t.Fatal(err)
	}
	out := map[string]map[ledger.Signal]map[int64]int64{}
	for rows.Next() {
		var device string
		var hour int64
		var packed []byte
		if err := rows.Scan(&device, &hour, &packed); err != nil {
			g.t.Fatal(err)
		}
		hours, err := minutes.Decode[ledger.Signal](packed)
		if err != nil {
			g.t.Fatal(err)
		}
		if out[device] == nil {
			out[device] = map[ledger.Signal]map[int64]int64{}
		}
		for signal, m := range hours {
			if out[device][signal] == nil {
				out[device][signal] = map[int64]int64{}
			}
			for i := range 60 {
				if v, ok := minutes.At(&m, i); ok {
					out[device][signal][hour/60+int64(i)] = v
				}
			}
		}
	}
	if err := rows.Err(); err != nil {
		g.t.Fatal(err)
	}
	return out
}

func util(e *remotewrite.Encoder, uuid string, ms int64, v float64) {
	e.Series("DCGM_FI_DEV_GPU_UTIL", gpu(uuid), remotewrite.Sample{Ms: ms, Value: v})
}

// check compares an answer; written is of 2.0.
func check(t *testing.T, got interface {
	Header() http.Header
}, code, want int, text string, say ...string) {
	t.Helper()
	if code != want {
		t.Errorf("answer %d, want %d: %s", code, want, text)
	}
	for _, s := range say {
		if !strings.Contains(text, s) {
			t.Errorf("the answer %q does not say %q", text, s)
		}
	}
}

// T01
func TestTheSameRequestThreeTimesCountsOnce(t *testing.T) {
	g := newRig(t, live.Options{})
	b := body(v2, func(e *remotewrite.Encoder) {
		for i := range 50 {
			util(e, fmt.Sprint("GPU-", i), at(-time.Duration(i)*time.Minute), float64(i))
		}
	})
	var first any
	for i := range 3 {
		w := g.post(b, v2)
		check(t, w, w.Code, http.StatusNoContent, w.Body.String())
		if n := w.Header().Get(remotewrite.HeaderSamples); n != "50" {
			t.Error("written", n)
		}
		if i != 1 { // once within a flush, once after one
			g.flush()
		}
		if i == 0 {
			first = g.vectors()
		}
	}
	if d := cmp.Diff(first, any(g.vectors())); d != "" {
		t.Error("sent again it says more:", d)
	}
}

// T02
func TestDisorderInsideTheWindowAndOutside(t *testing.T) {
	want := map[int64]int64{}
	type sample struct {
		ms int64
		v  int64
	}
	var all []sample
	for i := range 600 { // ten hours, two samples a minute
		s := sample{at(-time.Duration(i) * 30 * time.Second), int64(i % 101)}
		all = append(all, s)
		if _, later := want[s.ms/60000]; !later {
			want[s.ms/60000] = s.v * 10_000
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	g := newRig(t, live.Options{})
	for i := 0; i < len(all); i += 50 {
		b := body(v2, func(e *remotewrite.Encoder) {
			for _, s := range all[i : i+50] {
				util(e, "GPU-1", s.ms, float64(s.v))
			}
		})
		if w := g.post(b, v2); w.Code != http.StatusNoContent || w.Header().Get(remotewrite.HeaderSamples) != "50" {
			t.Fatal(w.Code, w.Header(), w.Body.String())
		}
		if r.IntN(3) == 0 {
			g.flush()
		}
	}
	g.flush()
	if d := cmp.Diff(want, g.vectors()["default/n1/GPU-1"][ledger.SignalGPUUtil]); d != "" {
		t.Error(d)
	}
	old := body(v2, func(e *remotewrite.Encoder) {
		util(e, "GPU-1", at(-23*time.Hour), 1)
		util(e, "GPU-1", at(-24*time.Hour-time.Second), 2)
		util(e, "GPU-1", at(-48*time.Hour), 3)
		e.Series("node_load1", nil, remotewrite.Sample{Ms: at(-48 * time.Hour), Value: 3})
	})
	w := g.post(old, v2)
	check(t, w, w.Code, http.StatusBadRequest, w.Body.String(), "3 too old", "the other 1 were accepted")
	if w.Header().Get(remotewrite.HeaderSamples) != "1" {
		t.Error("written", w.Header())
	}
	g.flush()
	if n := len(g.vectors()["default/n1/GPU-1"][ledger.SignalGPUUtil]); n != len(want)+1 {
		t.Error(n, "minutes are stored")
	}
}

// T03
func TestTypesAndEncodings(t *testing.T) {
	g := newRig(t, live.Options{})
	one := body(v1, func(e *remotewrite.Encoder) { util(e, "GPU-1", at(0), 1) })
	two := body(v2, func(e *remotewrite.Encoder) { util(e, "GPU-1", at(0), 1) })
	for _, c := range []struct {
		kind, encoding string
		body           []byte
		want           int
	}{
		{"application/x-protobuf", "snappy", one, 204},
		{"application/x-protobuf;proto=prometheus.WriteRequest", "snappy", one, 204},
		{"application/x-protobuf; proto=prometheus.WriteRequest; charset=x", "Snappy", one, 204},
		{"", "snappy", one, 204},
		{"application/x-protobuf", "", one, 204}, // early senders name no encoding
		{"application/x-protobuf;proto=io.prometheus.write.v2.Request", "snappy", two, 204},
		{"application/x-protobuf;proto=io.prometheus.write.v3.Request", "snappy", two, 415},
		{"application/x-protobuf;proto=opentelemetry", "snappy", two, 415},
		{"application/json", "snappy", one, 415},
		{"text/plain", "snappy", one, 415},
		{"application/x-protobuf; proto", "snappy", one, 415},
		{"application/x-protobuf", "gzip", one, 415},
		{"application/x-protobuf", "zstd", one, 415},
		{"application/x-protobuf", "snappy-framed", one, 415},
		{"application/x-protobuf", "snappy", []byte("\xff\x06\x00\x00sNaPpY"), 400}, // framed
		{"application/x-protobuf", "snappy", nil, 400},
		{"application/x-protobuf", "snappy", []byte{0}, 204}, // no series at all
		{"application/x-protobuf", "snappy", one[:len(one)-1], 400},
		// a block whose content is not a message
		{"application/x-protobuf", "snappy", append([]byte{3, 2 << 2}, 0xff, 0xff, 0xff), 400},
	} {
		w := g.post(c.body, v1, "Content-Type", c.kind, "Content-Encoding", c.encoding)
		if w.Code != c.want {
			t.Errorf("%q %q: %d, want %d: %s", c.kind, c.encoding, w.Code, c.want, w.Body)
		}
		if c.want >= 400 && w.Body.Len() == 0 {
			t.Errorf("%q %q: refused without a reason", c.kind, c.encoding)
		}
	}
}

// T03, T04
func TestWrittenIsExact(t *testing.T) {
	g := newRig(t, live.Options{})
	nan, stale := math.NaN(), math.Float64frombits(0x7ff0000000000002)
	for _, c := range []struct {
		name    string
		f       func(e *remotewrite.Encoder)
		code    int
		written int
		say     string
	}{
		{"stored", func(e *remotewrite.Encoder) { util(e, "GPU-1", at(0), 1); util(e, "GPU-2", at(0), 1) }, 204, 2, ""},
		{
			"no value", func(e *remotewrite.Encoder) { util(e, "GPU-1", at(0), nan); util(e, "GPU-1", at(0), stale) },
			204, 2, "",
		},
		{"a sentinel", func(e *remotewrite.Encoder) { util(e, "GPU-1", at(0), 2147483632) }, 204, 1, ""},
		{"meaningless", func(e *remotewrite.Encoder) {
			e.Series("up", nil, remotewrite.Sample{Ms: at(0), Value: 1}, remotewrite.Sample{Ms: at(1), Value: 1})
		}, 204, 2, ""},
		{"left out by its labels", func(e *remotewrite.Encoder) {
			e.Series("kube_node_status_condition",
				series.Labels{
					{Name: "condition", Value: "DiskPressure"}, {Name: "node", Value: "n"}, {Name: "status", Value: "true"},
				}, remotewrite.Sample{Ms: at(0), Value: 1})
		}, 204, 1, ""},
		{
			"infinite", func(e *remotewrite.Encoder) { util(e, "GPU-1", at(0), math.Inf(1)); util(e, "GPU-2", at(0), 1) },
			400, 1, "1 not finite",
		},
		{"no device", func(e *remotewrite.Encoder) {
			e.Series("DCGM_FI_DEV_GPU_UTIL", series.Labels{{Name: "Hostname", Value: "n1"}},
				remotewrite.Sample{Ms: at(0), Value: 1})
		}, 400, 0, "1 no device uuid"},
		{
			"ahead", func(e *remotewrite.Encoder) { util(e, "GPU-1", at(10*time.Minute+time.Millisecond), 1) },
			400, 0, "1 too far ahead",
		},
		{"just not ahead", func(e *remotewrite.Encoder) { util(e, "GPU-1", at(10*time.Minute), 1) }, 204, 1, ""},
		{
			"a year ahead", func(e *remotewrite.Encoder) { util(e, "GPU-1", at(365*24*time.Hour), 1) },
			400, 0, "1 too far ahead",
		},
		{
			"seconds", func(e *remotewrite.Encoder) { util(e, "GPU-1", start.Unix(), 1) },
			400, 0, "1 seconds instead of milliseconds",
		},
		{
			"before time", func(e *remotewrite.Encoder) { util(e, "GPU-1", -5, 1); util(e, "GPU-1", 0, 1) }, 400, 0, "2 too old",
		},
		{"nothing", func(*remotewrite.Encoder) {}, 204, 0, ""},
	} {
		w := g.post(body(v2, c.f), v2)
		check(t, w, w.Code, c.code, c.name+": "+w.Body.String(), c.say)
		for h, want := range map[string]int{
			remotewrite.HeaderSamples: c.written, remotewrite.HeaderHistograms: 0, remotewrite.HeaderExemplars: 0,
		} {
			if got := w.Header().Get(h); got != strconv.Itoa(want) {
				t.Errorf("%s: %s = %q, want %d", c.name, h, got, want)
			}
		}
	}
	w := g.post([]byte{1, 2, 3}, v2)
	if check(t, w, w.Code, 400, w.Body.String()); w.Header().Get(remotewrite.HeaderSamples) != "0" {
		t.Error("a refused request says", w.Header())
	}
}

// T04
func TestOneBadSeriesOfAHundred(t *testing.T) {
	for _, v := range []remotewrite.Version{v1, v2} {
		g := newRig(t, live.Options{})
		for name, bad := range map[string]struct {
			name   string
			labels series.Labels
			say    string
		}{
			"unsorted": {
				"DCGM_FI_DEV_GPU_UTIL", series.Labels{{Name: "UUID", Value: "x"}, {Name: "Hostname", Value: "y"}},
				"labels not sorted",
			},
			"repeated": {"node_load1", series.Labels{{Name: "a", Value: "x"}, {Name: "a", Value: "y"}}, "repeated label"},
			"nameless": {"", series.Labels{{Name: "a", Value: "x"}}, "no metric name"},
			"empty":    {"node_load1", series.Labels{{Name: "", Value: "x"}}, "empty label name"},
			"bytes":    {"node_load1", series.Labels{{Name: "a", Value: "\xff"}}, "not utf-8"},
			"long":     {"node_load1", series.Labels{{Name: "a", Value: strings.Repeat("x", 17<<10)}}, "labels too long"},
		} {
			b := body(v, func(e *remotewrite.Encoder) {
				for i := range 100 {
					if i == 50 {
						e.Series(bad.name, bad.labels, remotewrite.Sample{Ms: at(0), Value: 1})
						continue
					}
					util(e, fmt.Sprint("GPU-", i), at(0), float64(i))
				}
			})
			for range 2 { // sent again as a whole it adds nothing
				w := g.post(b, v)
				check(t, w, w.Code, http.StatusBadRequest, name+": "+w.Body.String(), bad.say, "the other 99 were accepted")
				if v == v2 && w.Header().Get(remotewrite.HeaderSamples) != "99" {
					t.Error(name, "written", w.Header())
				}
				g.flush()
				if n := len(g.vectors()); n != 99 {
					t.Errorf("%s: %d devices", name, n)
				}
			}
		}
		if g.waiting() != 0 {
			t.Error("the inbox is not empty")
		}
	}
}

// T05
func TestBombsAreRefusedBeforeTheyUnfold(t *testing.T) {
	g := newRig(t, live.Options{})
	bombs := map[string][]byte{}
	for _, n := range []uint64{4 << 30, 1<<32 - 1, 1 << 40, math.MaxUint64, 33 << 20, 30 << 20} {
		bombs[fmt.Sprint(n)] = append(binary.AppendUvarint(nil, n), 1, 2, 3)
	}
	// 31 MiB of one byte, in 64-byte copies: as much as a block can unfold, but
	// no message.
	real := append(binary.AppendUvarint(nil, 31<<20), 0, 'x')
	for range 31 << 20 / 64 {
		real = append(real, 63<<2|2, 1, 0)
	}
	bombs["copies"] = real
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for name, b := range bombs {
		if name == "copies" {
			continue
		}
		w := g.post(b, v1)
		if w.Code != http.StatusBadRequest && w.Code != http.StatusRequestEntityTooLarge {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 10<<20 {
		t.Errorf("%d MB were allocated", grown>>20)
	} else {
		t.Logf("%d bombs: %d kB allocated", len(bombs)-1, grown>>10)
	}
	if w := g.post(bombs["copies"], v1); w.Code != http.StatusBadRequest {
		t.Error(w.Code, w.Body)
	}
	if w := g.post(make([]byte, 17<<20), v1); w.Code != http.StatusRequestEntityTooLarge {
		t.Error("a large body:", w.Code, w.Body)
	}
}

// T09
func TestWhatIsNoValueIsNotZero(t *testing.T) {
	g := newRig(t, live.Options{})
	stale := math.Float64frombits(0x7ff0000000000002)
	b := body(v1, func(e *remotewrite.Encoder) {
		util(e, "GPU-1", at(-2*time.Minute), 50)
		util(e, "GPU-1", at(-time.Minute), math.NaN())
		util(e, "GPU-1", at(0), stale)
		util(e, "GPU-2", at(0), stale)
	})
	w := g.post(b, v1)
	check(t, w, w.Code, http.StatusNoContent, w.Body.String())
	w = g.post(body(v1, func(e *remotewrite.Encoder) {
		util(e, "GPU-1", at(time.Minute), math.Inf(1))
		util(e, "GPU-1", at(time.Minute), math.Inf(-1))
	}), v1)
	check(t, w, w.Code, http.StatusBadRequest, w.Body.String(), "2 not finite")
	g.flush()
	want := map[string]map[ledger.Signal]map[int64]int64{
		"default/n1/GPU-1": {ledger.SignalGPUUtil: {at(-2*time.Minute) / 60000: 500_000}},
	}
	if d := cmp.Diff(want, g.vectors()); d != "" {
		t.Error(d)
	}
}

func TestClustersOfSeries(t *testing.T) {
	g := newRig(t, live.Options{DefaultCluster: "home"})
	b := body(v1, func(e *remotewrite.Encoder) {
		util(e, "GPU-1", at(0), 1)
		e.Series("DCGM_FI_DEV_GPU_UTIL",
			series.Labels{
				{Name: "Hostname", Value: "n1"}, {Name: "UUID", Value: "GPU-2"},
				{Name: "cluster", Value: "east"}, {Name: "prometheus_replica", Value: "a"},
			}, remotewrite.Sample{Ms: at(0), Value: 1})
		e.Series("DCGM_FI_DEV_GPU_UTIL",
			series.Labels{
				{Name: "Hostname", Value: "n1"}, {Name: "UUID", Value: "GPU-2"},
				{Name: "cluster", Value: "east"}, {Name: "prometheus_replica", Value: "b"},
			}, remotewrite.Sample{Ms: at(0), Value: 1})
	})
	if w := g.post(b, v1); w.Code != http.StatusNoContent {
		t.Fatal(w.Code, w.Body)
	}
	if _, err := g.r.Accept(t.Context(), live.Request{
		Kind: live.KindRemoteWrite1, Sender: "x", Cluster: "west", Body: b,
	}); err != nil {
		t.Fatal(err)
	}
	g.flush()
	var have []string
	for device := range g.vectors() {
		have = append(have, device)
	}
	want := []string{"home/n1/GPU-1", "east/n1/GPU-2", "west/n1/GPU-1", "west/n1/GPU-2"}
	if !cmp.Equal(sorted(want), sorted(have)) {
		t.Error(have)
	}
}
