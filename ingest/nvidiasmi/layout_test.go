package nvidiasmi

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"gpuledger/internal/ledger"
)

const cardA, cardB = "GPU-00000000-0000-0000-0000-00000000000a", "GPU-00000000-0000-0000-0000-00000000000b"

var noon = time.Date(2026, 9, 21, 12, 0, 0, 0, time.UTC)

// shapes writes the layouts in samples: "index slice profile", "index whole", or "index mode"
// if rows only show that MIG is on.
func shapes(x ledger.Telemetry) string {
	var out []string
	for _, s := range x.Samples {
		line := fmt.Sprintf("%d %d %s", s.Index, s.SliceID, s.Profile)
		if s.SliceID == ledger.WholeDevice {
			line = fmt.Sprintf("%d whole", s.Index)
			if _, mode := s.Vectors[ledger.SignalMIGMode]; mode {
				line = fmt.Sprintf("%d mode", s.Index)
			}
		}
		out = append(out, line)
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// overviewText is the table without arguments, of an A100 that is cut up and of one
// that is not.
func overviewText(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("testdata/handmade-overview.txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestLayoutsFromTexts(t *testing.T) {
	gpu := func(index int, uuid string) string {
		return fmt.Sprintf("GPU %d: NVIDIA A100-SXM4-40GB (UUID: %s)\n", index, uuid)
	}
	device := func(n int, profile string) string {
		return fmt.Sprintf("  MIG %s     Device  %d: (UUID: MIG-0000000%d-0000-0000-0000-00000000000%d)\n", profile, n, n, n)
	}
	const instances = "|   0  MIG 3g.20gb          9        2          4:4     |\n|   0  MIG 1g.5gb         19        " +
		"7          0:1     |\n"
	const head = "timestamp, index, uuid, name, mig.mode.current, memory.used [MiB]\n"
	row := func(index int, uuid, mode string) string {
		return fmt.Sprintf("2026/09/21 14:13:20.792, %d, %s, NVIDIA A100-SXM4-40GB, %s, 12 MiB\n", index, uuid, mode)
	}
	for name, c := range map[string]struct{ text, want string }{
		"a listing alone": {gpu(0, cardA) + gpu(1, cardB), "0 whole, 1 whole"},
		"a listing with MIG devices": {
			gpu(0, cardA) + device(0, "3g.20gb") + device(1, "1g.5gb") + gpu(1, cardB), "0 0 3g.20gb, 0 1 1g.5gb, 1 whole",
		},
		"with their GPU instances": {
			gpu(0, cardA) + device(0, "3g.20gb") + device(1, "1g.5gb") + instances, "0 2 3g.20gb, 0 7 1g.5gb",
		},
		"compute instances of nobody knows": {
			gpu(0, cardA) + device(0, "1c.3g.20gb") + device(1, "1c.3g.20gb"), "0 mode",
		},
		"a query with MIG on": {
			head + row(0, cardA, "Enabled") + row(1, cardB, "Disabled"), "0 mode, 1 whole",
		},
		"a query below a listing": {
			gpu(0, cardA) + device(0, "7g.40gb") + head + row(0, cardA, "Enabled"), "0 0 7g.40gb, 0 whole",
		},
		"the table below a listing": {
			gpu(0, cardA) + device(0, "3g.20gb") + device(1, "1g.5gb+me") + gpu(1, cardB) + overviewText(t),
			"0 2 3g.20gb, 0 7 1g.5gb+me, 0 whole, 1 mode",
		},
		"the table, profiles by what they have": {
			gpu(0, cardA) + gpu(1, cardB) + overviewText(t), "0 2 3g.20gb, 0 7 1g.5gb, 0 whole, 1 mode",
		},
	} {
		x, read := parse(t, c.text, Options{At: noon})
		if len(read.Rejected) > 0 {
			t.Errorf("%s: %+v", name, read.Rejected)
		}
		if got := shapes(x); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestMIGModeIsAFactOfTheDevice(t *testing.T) {
	x, _ := parse(t, "timestamp, index, uuid, mig.mode.current, memory.used [MiB]\n2026/09/21 14:13:20.792, 4, "+cardA+", Enabled, 12 MiB\n", Options{})
	if len(x.Devices) != 1 || x.Devices[0].UUID != cardA || !x.Devices[0].InMIG || x.Devices[0].Registered ||
		x.Devices[0].Index != 4 {
		t.Errorf("%+v", x.Devices)
	}
}

func TestTableValues(t *testing.T) {
	list := "GPU 0: NVIDIA A100-SXM4-40GB (UUID: " + cardA + ")\nGPU 1: NVIDIA A100-SXM4-40GB (UUID: " + cardB + ")\n"
	x, read := parse(t, list+overviewText(t), Options{})
	for _, c := range []struct {
		slice  int32
		signal ledger.Signal
		want   int64
	}{{2, ledger.SignalMemoryUsed, 26 << 20}, {7, ledger.SignalMemoryUsed, 9 << 20},
		{ledger.WholeDevice, ledger.SignalTemperature, 40_000}} {
		if v, ok := value(&x, c.slice, c.signal); !ok || v != c.want {
			t.Errorf("%s of %d is %d (%v), want %d", c.signal, c.slice, v, ok, c.want)
		}
	}
	if len(read.Rejected) > 0 || x.Samples[0].Hour != 1789981200 {
		t.Errorf("%+v %v", read, x.Samples[0].Hour)
	}
	if _, read := parse(t, overviewText(t), Options{}); read.Rejected["no device uuid"] != 2 {
		t.Errorf("without a listing: %+v", read.Rejected)
	}
	if _, read := parse(t, list, Options{}); read.Rejected["no timestamp"] != 1 {
		t.Errorf("a listing has no time: %+v", read.Rejected)
	}
	if !Looks([]byte(overviewText(t))) {
		t.Error("the table is of nvidia-smi")
	}
}

// The placement column of mig -lgi: where an instance begins on its card.
func TestListedPlacements(t *testing.T) {
	text := fmt.Sprintf("GPU 0: NVIDIA A100-SXM4-40GB (UUID: %s)\nGPU 1: NVIDIA A100-SXM4-40GB (UUID: %s)\n", cardA,
		cardB) +
		"|   0  MIG 3g.20gb          9        2          4:4     |\n|   0  MIG 1g.5gb         19        7          0:1   " +
		"  |\n|   1  MIG 2g.10gb         14        3          4:2     |\n"
	x, read := parse(t, text, Options{At: noon})
	if len(read.Rejected) > 0 {
		t.Fatal(read.Rejected)
	}
	var got []string
	for _, s := range x.Samples {
		if start := s.Vectors[ledger.SignalMIGStart]; start.Known == 1 {
			got = append(got, fmt.Sprintf("%d/%d %s at %d", s.Index, s.SliceID, s.Profile, start.Value[0]))
		}
	}
	slices.Sort(got)
	if want := "0/2 3g.20gb at 4, 0/7 1g.5gb at 0, 1/3 2g.10gb at 4"; strings.Join(got, ", ") != want {
		t.Errorf("%v, want %s", got, want)
	}
}
