package remotewrite

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gpuledger/ingest/series"
)

// told is a walk's result for one series.
type told struct {
	Name    string
	Labels  series.Labels
	Samples []Sample
	Fault   string
}

func walk(t interface{ Fatal(...any) }, v Version, msg []byte) ([]told, Totals) {
	var d Decoder
	var out []told
	totals, err := d.Walk(v, msg, func(s *Series) error {
		name, ls, f := s.Labels(nil)
		x := told{Name: name, Labels: ls, Samples: append([]Sample(nil), s.Samples...)}
		if f != nil {
			x.Fault = f.Reason
		}
		out = append(out, x)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, totals
}

func TestBothVersionsComeBackAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want []told
		for i := range rapid.IntRange(0, 6).Draw(t, "series") {
			x := told{Name: fmt.Sprintf("m%d", i)}
			names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z_A-Z]{1,8}`), 0, 5, rapid.ID[string]).Draw(t, "names")
			slices.Sort(names)
			for _, n := range names {
				if !replica([]byte(n)) {
					x.Labels = append(x.Labels, series.Label{Name: n, Value: rapid.StringN(1, 20, 60).Draw(t, "value")})
				}
			}
			for range rapid.IntRange(0, 4).Draw(t, "samples") {
				x.Samples = append(x.Samples, Sample{rapid.Int64().Draw(t, "ms"), rapid.Float64().Draw(t, "v")})
			}
			want = append(want, x)
		}
		for _, v := range []Version{V1, V2} {
			e := NewEncoder(v)
			for _, x := range want {
				e.Series(x.Name, x.Labels, x.Samples...)
			}
			msg, err := Unpack(nil, e.Body(), 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			got, totals := walk(t, v, msg)
			if d := cmp.Diff(want, got); d != "" {
				t.Fatal(v, d)
			}
			samples := 0
			for _, x := range want {
				samples += len(x.Samples)
			}
			if totals.Samples != samples || totals.Series != len(want) {
				t.Fatal(totals)
			}
		}
	})
}

func BenchmarkWalk(b *testing.B) {
	for _, v := range []Version{V1, V2} {
		e := NewEncoder(v)
		for i := range 500 {
			e.Series("DCGM_FI_DEV_GPU_UTIL", fleetLabels(i), Sample{1_700_000_000_000, 97})
		}
		msg := slices.Clone(e.Message())
		b.Run(fmt.Sprint("v", v), func(b *testing.B) {
			var d Decoder
			b.ReportAllocs()
			for b.Loop() {
				sum := 0.0
				if _, err := d.Walk(v, msg, func(s *Series) error {
					p := s.Print(1)
					sum += s.Samples[0].Value + float64(p[0]&1)
					return nil
				}); err != nil || math.IsNaN(sum) {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)*500/b.Elapsed().Seconds(), "samples/s")
		})
	}
}

func fleetLabels(i int) series.Labels {
	return series.Labels{
		{Name: "DCGM_FI_DRIVER_VERSION", Value: "550.90.07"},
		{Name: "Hostname", Value: fmt.Sprintf("ip-10-0-%d-%d.ec2.internal", i/8/250, i/8%250)},
		{Name: "UUID", Value: fmt.Sprintf("GPU-5fd4f087-86f3-7a43-b711-%012d", i)}, {Name: "cluster", Value: "train"},
		{Name: "device", Value: fmt.Sprintf("nvidia%d", i%8)},
		{Name: "exported_container", Value: "trainer"}, {Name: "exported_namespace", Value: "research"},
		{Name: "exported_pod", Value: fmt.Sprintf("llama-70b-worker-%d", i/8)}, {Name: "gpu", Value: fmt.Sprint(i % 8)},
		{Name: "instance", Value: fmt.Sprintf("10.0.%d.%d:9400", i/8/250, i/8%250)}, {Name: "job", Value: "dcgm-exporter"},
		{Name: "modelName", Value: "NVIDIA H100 80GB HBM3"},
		{Name: "pci_bus_id", Value: fmt.Sprintf("00000000:%02X:00.0", i%8)},
	}
}
