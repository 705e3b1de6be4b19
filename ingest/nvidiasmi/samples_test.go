package nvidiasmi

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
)

// sample reads a public sample, or skips when the samples are not there.
func sample(t *testing.T, path string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("go.mod not found above the test")
		}
		dir = filepath.Dir(dir)
	}
	text, err := os.ReadFile(filepath.Join(dir, "..", "shared", "reference", "samples", "telemetry", "nvidia-smi", path))
	if os.IsNotExist(err) {
		t.Skipf("the public samples are not beside this checkout: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// parse reads a text as the file n1.txt.
func parse(t *testing.T, text string, opt Options) (ledger.Telemetry, ledger.Reading) {
	t.Helper()
	var all ledger.Telemetry
	read, err := Parse(context.Background(), strings.NewReader(text), "n1.txt", opt, func(x *ledger.Telemetry) error {
		all.Samples = append(all.Samples, x.Samples...)
		all.Devices = append(all.Devices, x.Devices...)
		all.Placements = append(all.Placements, x.Placements...)
		all.Workloads = append(all.Workloads, x.Workloads...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all, read
}

// value is the newest value of a signal of a slice.
func value(x *ledger.Telemetry, slice int32, signal ledger.Signal) (int64, bool) {
	var v int64
	found := false
	for _, h := range x.Samples {
		if h.SliceID != slice {
			continue
		}
		m := h.Vectors[signal]
		for i := range 60 {
			if m.Known>>i&1 == 1 {
				v, found = m.Value[i], true
			}
		}
	}
	return v, found
}

type fact struct {
	slice  int32
	signal ledger.Signal
	want   int64
}

func TestPublicSamples(t *testing.T) {
	const whole = ledger.WholeDevice
	for path, want := range map[string]struct {
		model    string
		index    int32
		facts    []fact
		unknown  []ledger.Signal // never 0
		profiles map[int32]string
		holders  int
	}{
		"xml/a100-sxm4-v12.xml": { // one GPU of four listed: its index is not known
			model: "NVIDIA A100-SXM4-80GB", index: -1,
			facts: []fact{
				{whole, ledger.SignalPower, 67_000}, {3, ledger.SignalMemoryUsed, 12 << 20},
				{3, ledger.SignalMemoryFree, 19955 << 20},
			},
			unknown:  []ledger.Signal{ledger.SignalGPUUtil},
			profiles: map[int32]string{3: "1g.20gb", 4: "1g.20gb", 5: "1g.20gb", 6: "1g.20gb"},
		},
		"xml/a10g.xml": {
			model: "NVIDIA A10G", facts: []fact{{whole, ledger.SignalPower, 25_600}, {whole, ledger.SignalGPUUtil, 0}},
			holders: 0,
		},
		// Xorg only draws
		"xml/tesla-t4.xml": {model: "Tesla T4", facts: []fact{{whole, ledger.SignalPower, 26_800}}, holders: 1},
		"xml/qx-a100.xml":  {model: "NVIDIA A100-SXM4-40GB", facts: []fact{{whole, ledger.SignalPower, 49_700}}},
		"xml/qx-t4.xml":    {model: "Tesla T4", facts: []fact{{whole, ledger.SignalPower, 33_500}}},
		"h100-mig-590.48.01.txt": { // newest values: under load
			model:   "NVIDIA H100 80GB HBM3",
			facts:   []fact{{whole, ledger.SignalMemoryUsed, 11125 << 20}},
			unknown: []ledger.Signal{ledger.SignalGPUUtil},
			holders: 3,
		},
		"h200-590.48.01.txt": {model: "NVIDIA H200", facts: []fact{{whole, ledger.SignalGPUUtil, 1_000_000}}, holders: 3},
	} {
		t.Run(path, func(t *testing.T) {
			x, read := parse(t, sample(t, path), Options{})
			if len(read.Rejected) > 0 {
				t.Errorf("rejected: %v", read.First)
			}
			if read.Accepted == 0 {
				t.Fatal("nothing was read")
			}
			for _, h := range x.Samples {
				if h.Model != want.model || h.Index != want.index || h.Cluster != "default" {
					t.Errorf("%q index %d on %q", h.Model, h.Index, h.Node)
				}
				if p := want.profiles[h.SliceID]; h.SliceID != whole && want.profiles != nil && h.Profile != p {
					t.Errorf("slice %d is %q, want %q", h.SliceID, h.Profile, p)
				}
			}
			for _, f := range want.facts {
				if got, ok := value(&x, f.slice, f.signal); !ok || got != f.want {
					t.Errorf("slice %d %s: %d %v, want %d", f.slice, f.signal, got, ok, f.want)
				}
			}
			for _, s := range want.unknown {
				if v, ok := value(&x, whole, s); ok {
					t.Errorf("%s is %d, want unknown", s, v)
				}
			}
			holders := map[string]bool{}
			for _, p := range x.Placements {
				holders[p.Workload] = true
			}
			if len(holders) != want.holders {
				t.Errorf("%d processes hold the device, want %d: %v", len(holders), want.holders, holders)
			}
		})
	}
}

func TestListingOfTheCapture(t *testing.T) {
	var gpus []GPU
	r := &reader{
		zone: nil, found: func(int64, problem) {},
		emit: func(_ int64, s *Snapshot) error { gpus = append(gpus, s.GPUs...); return nil },
	}
	text := sample(t, "h100-mig-590.48.01.txt")
	r.zone = Options{}.zone()
	if err := r.run(context.Background(), strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(r.listing.gpus[0].profiles, " "); got != "3g.40gb 2g.20gb 1g.10gb 1g.10gb" {
		t.Errorf("%q", got)
	}
}
