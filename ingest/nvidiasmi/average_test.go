package nvidiasmi

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"gpuledger/internal/ledger"
)

func capture(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A load of half a second in each second: the gauge of that moment said 75 %.
func TestAveragesAreOfTheDriversSamples(t *testing.T) {
	text := capture(t, "h200-580-utilization.txt")
	all := Averages([]byte(text))
	a := all["00000000:00:06.0"]
	if len(all) != 1 || a.Over != 14*time.Second || len(a.Readings) != 2 {
		t.Fatalf("%+v", all)
	}
	want := map[Metric]float64{MetricUtilization: 0.47, MetricMemoryCopy: 0.11}
	for _, r := range a.Readings {
		if r.Value.Float() != want[r.Metric] {
			t.Errorf("%v is %v, want %v", r.Metric, r.Value.Float(), want[r.Metric])
		}
	}
	g := GPU{Readings: []Reading{{MetricPower, a.Readings[0].Value}, {MetricUtilization, a.Readings[1].Value}}}
	g.With(a)
	if g.Readings[1].Value.Float() != 0.47 || len(g.Readings) != 2 {
		t.Errorf("%+v", g.Readings)
	}
	if !a.Of("gpuledger_gpu_utilization_ratio") || a.Of("gpuledger_gpu_power_watts") {
		t.Error("the average is of utilisation and memory copies alone")
	}
}

func TestDevicesWithoutSamplesHaveNoAverage(t *testing.T) {
	text := capture(t, "h200-580-utilization.txt")
	for _, cut := range []struct{ old, new string }{
		{
			"Avg                                            : 47 %",
			"Avg                                            : Not Found",
		},
		{"14.00 sec", "18446744073709.21 sec"},
		{"14.00 sec", "N/A"},
		{"Utilization Samples", "Utilization"},
	} {
		for bus, a := range Averages([]byte(strings.ReplaceAll(text, cut.old, cut.new))) {
			if a.Of(string(MetricUtilization)) {
				t.Errorf("%q: %s has an average of %v", cut.new, bus, a.Readings)
			}
		}
	}
	if got := Averages([]byte(capture(t, "h200-580-busy.xml"))); len(got) != 0 {
		t.Errorf("an XML document has averages: %v", got)
	}
}

// What the machine's own NVML said within a second of the capture: 100 %,
// 690 W, 60 °C, power cap, 23,653 MiB with what the driver reserves.
func TestACaptureOfABusyH200(t *testing.T) {
	all, read := parse(t, capture(t, "h200-580-busy.xml"), Options{})
	if len(read.Rejected) != 0 || read.Accepted != 11 || read.Rows != 11 {
		t.Errorf("%+v", read)
	}
	for signal, want := range map[ledger.Signal]int64{
		ledger.SignalGPUUtil: 1_000_000, ledger.SignalMemoryUsed: 23_039 << 20, ledger.SignalMemoryFree: 120_118 << 20,
		ledger.SignalPower: 689_800, ledger.SignalTemperature: 60_000,
	} {
		if got, ok := value(&all, -1, signal); !ok || got != want {
			t.Errorf("%v is %d, want %d", signal, got, want)
		}
	}
	if h := all.Samples[0]; h.Model != "NVIDIA H200" || h.Index != 0 {
		t.Errorf("%q, index %d", h.Model, h.Index)
	}
}

// An instance of each profile as the driver lists it, by memory and
// multiprocessors alone, is called what the driver calls it.
func TestProfilesOfAnH200FollowFromWhatTheyHave(t *testing.T) {
	row := regexp.MustCompile(`MIG (\S+)\s+\d+\s+\d+/\d+\s+([\d.]+)\s+No\s+(\d+)`)
	rows := row.FindAllStringSubmatch(capture(t, "h200-580-mig-lgip.txt"), -1)
	if len(rows) != 7 {
		t.Fatalf("%d profiles", len(rows))
	}
	for _, m := range rows {
		gib, err := strconv.ParseFloat(m[2], 64)
		sm, err2 := strconv.Atoi(m[3])
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		gpu := GPU{Model: "NVIDIA H200", Instances: []Instance{{Multiprocessors: sm, MemoryMiB: int64(gib * 1024)}}}
		deriveProfiles(&gpu, 143_771)
		if got, want := gpu.Instances[0].Profile, strings.TrimSuffix(m[1], "+me"); got != want {
			t.Errorf("%s GiB and %d multiprocessors are %q, want %q", m[2], sm, got, want)
		}
	}
}
