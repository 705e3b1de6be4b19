package openmetrics

import (
	"os"
	"path/filepath"
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
	text, err := os.ReadFile(filepath.Join(dir, "..", "shared", "reference", "samples", "telemetry", path))
	if os.IsNotExist(err) {
		t.Skipf("the public samples are not beside this checkout: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestPublicSamples(t *testing.T) {
	const at = 1790000040
	for path, want := range map[string]struct {
		samples, accepted, rejected int64 // title lines and a last line without line feed
		hours                       int
		slice                       int32
		profile                     string
		signal                      ledger.Signal
		value                       int64
	}{
		"dcgm/runai-mig-active-1g.5gb.prom":         {15, 8, 2, 2, 9, "1g.5gb", ledger.SignalGrEngine, 999892},
		"dcgm/runai-mig-idle-1g.5gb-allocated.prom": {15, 8, 2, 2, 8, "1g.5gb", ledger.SignalMemoryUsed, 6 << 20},
		"dcgm/runai-mig-disabled-empty.prom":        {49, 25, 4, 1, ledger.WholeDevice, "", ledger.SignalPower, 46000},
	} {
		t.Run(path, func(t *testing.T) {
			x, st := parse(t, sample(t, path), Options{DefaultTime: at})
			if st.Samples != want.samples || st.Accepted != want.accepted || st.Rejected != want.rejected ||
				len(x.Samples) != want.hours {
				t.Errorf("%+v, %d hours", st, len(x.Samples))
			}
			for _, s := range x.Samples {
				if s.Model != "NVIDIA A100-SXM4-40GB" || s.Device != "GPU-7099682b-a20d-2bcc-74ab-b9060454d81e" {
					t.Errorf("%+v", s)
				}
				if s.SliceID == want.slice && (s.Profile != want.profile || s.Vectors[want.signal].Value[14] != want.value) {
					t.Errorf("%s: %+v", want.signal, s)
				}
			}
		})
	}
	t.Run("nvidia-smi/h100-mig-load.prom", func(t *testing.T) {
		text := sample(t, "nvidia-smi/h100-mig-load.prom")
		if _, st := parse(t, text, Options{DefaultTime: at}); st.RejectedBy["no node"] != 8 || st.Accepted != 0 {
			t.Errorf("without a node: %+v", st)
		}
		x, st := parse(t, text, Options{DefaultTime: at, Node: "h100"})
		if st.Rejected != 0 || st.Accepted != 8 || len(x.Samples) != 1 || len(x.Workloads) != 0 {
			t.Fatalf("%+v", st)
		}
		s := x.Samples[0]
		if s.Node != "h100" || s.Device != "GPU-00000000-0000-0000-0000-000000000000" || s.Index != 0 ||
			s.Model != "NVIDIA H100 80GB HBM3" || s.SliceID != ledger.WholeDevice {
			t.Errorf("%+v", s)
		}
		for signal, want := range map[ledger.Signal]int64{
			ledger.SignalMemoryUsed: 11665408000, ledger.SignalMemoryFree: 73354182656, ledger.SignalPower: 433800,
			ledger.SignalTemperature: 53000, ledger.SignalThrottle: 0, ledger.SignalSeen: 1,
		} {
			if v := s.Vectors[signal]; v.Known != 1<<14 || v.Value[14] != want {
				t.Errorf("%s: %d, want %d", signal, v.Value[14], want)
			}
		}
		// Under MIG the driver gives no utilisation: it is unknown, not idle.
		if _, ok := s.Vectors[ledger.SignalGPUUtil]; ok {
			t.Error("a utilisation was made up")
		}
	})
	t.Run("inference/triton-summary.prom", func(t *testing.T) {
		_, st := parse(t, sample(t, "inference/triton-summary.prom"), Options{DefaultTime: at})
		if st.Rejected != 0 || st.Ignored != 7 {
			t.Errorf("%+v", st)
		}
	})
}
