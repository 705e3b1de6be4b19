package nvidiasmi

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"gpuledger/ingest/series"
	"gpuledger/internal/ledger"
)

func handmade(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("testdata/handmade-mig-v13.xml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// lines writes a text's facts as series.
func lines(t testing.TB, text string) []string {
	t.Helper()
	var out []string
	problems, err := Read(context.Background(), strings.NewReader(text), time.UTC, func(s *Snapshot) error {
		s.Series("n1", func(p Process) Holder {
			if p.PID == 21180 {
				return Holder{Job: "4711"}
			}
			return Holder{Started: 1790000000}
		}, func(name string, ls series.Labels, v series.Decimal) {
			line := strings.TrimPrefix(name, "gpuledger_gpu_")
			for _, l := range ls {
				if l.Name != "model" && l.Name != "hostname" {
					line += " " + l.Name + "=" + strings.TrimPrefix(l.Value, "GPU-00000000-0000-0000-0000-00000000000")
				}
			}
			out = append(out, line+" "+v.String())
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return append(out, problems...)
}

func TestDocumentWithMIG(t *testing.T) {
	want := []string{
		"memory_used_bytes uuid=a gpu=0 11665408000",
		"memory_free_bytes uuid=a gpu=0 73322725376",
		"temperature_celsius uuid=a gpu=0 52",
		"power_watts uuid=a gpu=0 43210e-2", // the module's 900 W are GPU and CPU
		"throttle_reasons uuid=a gpu=0 68",
		"memory_used_bytes uuid=a gpu=0 gi=2 profile=3g.40gb 11629756416", // once, for both compute instances
		"memory_free_bytes uuid=a gpu=0 gi=2 profile=3g.40gb 30783045632",
		"memory_used_bytes uuid=a gpu=0 gi=9 profile=1g.10gb 9437184",
		"memory_free_bytes uuid=a gpu=0 gi=9 profile=1g.10gb 10459545600",
		"process_memory_bytes uuid=a gpu=0 gi=2 profile=3g.40gb hpc_job=4711 pid=21180 2407530496",
		"process_memory_bytes uuid=a gpu=0 gi=2 profile=3g.40gb pid=21181 process=python3 started=1790000000 0",
		"utilization_ratio uuid=b gpu=1 97e-2",
		"memory_copy_ratio uuid=b gpu=1 41e-2",
		"memory_used_bytes uuid=b gpu=1 0",
		"memory_free_bytes uuid=b gpu=1 84987084800",
		`line 1: no device uuid: "00000000:10:00.0: GPU is lost"`,
	}
	got := lines(t, handmade(t))
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestTables(t *testing.T) {
	const uuid = "GPU-00000000-0000-0000-0000-00000000000"
	for text, want := range map[string][]string{
		"timestamp, index, uuid, name, utilization.gpu [%], memory.used [MiB], power.draw [W], clocks_event_reasons.active\n" +
			"2026/09/21 14:13:20.792, 4, " + uuid + "a, Tesla T4, 0 %, 12 MiB, [N/A], 0x0000000000000005\n": {
			"utilization_ratio uuid=a gpu=4 0", "memory_used_bytes uuid=a gpu=4 12582912", "throttle_reasons uuid=a gpu=4 5",
		},
		// nounits, other order, older name, a warning inside the table, two samples
		"WARNING: infoROM is corrupted at gpu 0000:00:1E.0\npower.draw.instant, power.draw, uuid, utilization.gpu, " +
			"clocks_throttle_reasons.active, timestamp\n" +
			"41.5, [Not Supported], " + uuid + "b, 93, 0x0, 2026/09/21 14:13:20.001\nsome warning\n41.25, 40, " + uuid +
			"b, [Unknown Error], 0x8, 2026/09/21 14:13:35.001\n": {
			"utilization_ratio uuid=b 93e-2", "power_watts uuid=b 415e-1", "throttle_reasons uuid=b 0",
			"power_watts uuid=b 40", "throttle_reasons uuid=b 8",
		},
		// a process name with the separator in it; text after a blank may be an argument
		"timestamp, gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n2026/09/21 14:13:20.792, " + uuid +
			"a, 77, /opt/a, b/tool, 5 MiB\n": {
			"process_memory_bytes uuid=a pid=77 process=a, started=1790000000 5242880",
		},
		// -L gives index and profiles for the outputs after it
		"GPU 3: Tesla T4 (UUID: " + uuid + "c)\ntimestamp, uuid, memory.used [MiB]\n2026/09/21 14:13:20.792, " + uuid +
			"c, 1 MiB\n": {"memory_used_bytes uuid=c gpu=3 1048576"},
	} {
		if got := lines(t, text); !slices.Equal(got, want) {
			t.Errorf("%s\ngot\n%s\nwant\n%s", text, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

func TestListedProfilesGoBeforeDerivedOnes(t *testing.T) {
	list := "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-00000000-0000-0000-0000-00000000000a)\n" +
		"  MIG 1c.4g.40gb  Device  0: (UUID: MIG-00000000-0000-0000-0000-000000000000)\n" +
		"  MIG 2c.4g.40gb  Device  1: (UUID: MIG-00000001-0000-0000-0000-000000000001)\n" +
		"  MIG 1g.10gb+me  Device  2: (UUID: MIG-00000002-0000-0000-0000-000000000002)\n"
	got := strings.Join(lines(t, list+handmade(t)), "\n")
	for _, want := range []string{"gi=2 profile=4g.40gb", "gi=9 profile=1g.10gb+me"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
	instances := "|   0  MIG 4g.40gb          5        2          0:4     |\n|   0  MIG 1g.10gb         19        9   " +
		"       4:1     |\n"
	if got := strings.Join(lines(t, instances+handmade(t)), "\n"); !strings.Contains(got, "gi=2 profile=4g.40gb") {
		t.Errorf("mig -lgi was not read:\n%s", got)
	}
}

func TestRefusals(t *testing.T) {
	_, err := Parse(context.Background(), strings.NewReader(handmade(t)[:2000]), "cut.xml", Options{},
		func(*ledger.Telemetry) error { return nil })
	if !errors.Is(err, errCut) {
		t.Errorf("a cut document: %v", err)
	}
	_, read := parse(t, "uuid, utilization.gpu [%]\nGPU-1, 5 %\n", Options{})
	if read.Rejected["no timestamp"] != 1 || read.Accepted != 0 {
		t.Errorf("without a time: %+v", read)
	}
	_, read = parse(t, "timestamp, uuid, utilization.gpu [%]\n2026/13/41 25:00, GPU-1, 5 %\n2026/09/21 14:13:20, "+
		"GPU-1, five %\n2026/09/21 14:13:20\n", Options{})
	if read.Rejected["bad time"] != 1 || read.Rejected["bad value"] != 1 || read.First[0].Line != 2 {
		t.Errorf("%+v", read)
	}
	_, read = parse(t, "timestamp, uuid, utilization.gpu [%]\n2009/12/31 23:59:59, GPU-1, 5 %\n2026/09/21 14:13:20, "+
		"GPU-1, 5 %\n2098/09/21 14:13:20, GPU-1, 5 %\n",
		Options{NotAfter: 1790000001}) // a second after the row between
	if read.Rejected["timestamp out of range"] != 1 || read.Rejected["time in the future"] != 1 || read.Accepted != 1 {
		t.Errorf("%+v", read)
	}
}

func TestZoneOfTimes(t *testing.T) {
	zone := time.FixedZone("", 2*3600)
	at, ok := instant("Fri Aug  4 11:44:30 2023", zone)
	if want := time.Date(2023, 8, 4, 9, 44, 30, 0, time.UTC); !ok || !at.Equal(want) {
		t.Errorf("%v", at)
	}
}

func TestLooks(t *testing.T) {
	for text, want := range map[string]bool{
		handmade(t): true,
		"timestamp, index, uuid, utilization.gpu [%]\n":                   true,
		"timestamp, gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n": true,
		"GPU 0: Tesla T4 (UUID: GPU-9a)\n":                                true,
		"uuid, name\n":                                                    false,
		"# HELP a b\na 1\n":                                               false,
		"identity/LineItemId,lineItem/UsageType\n":                        false,
	} {
		if got := Looks([]byte(text)); got != want {
			t.Errorf("%.60q: %v", text, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(handmade(f))
	f.Add("timestamp, index, uuid, utilization.gpu [%]\n2026/09/21 14:13:20.792, 4, GPU-1, 0 %\n")
	f.Add("GPU 0: Tesla T4 (UUID: GPU-9a)\n  MIG 1g.5gb Device 0: (UUID: MIG-1)\n")
	f.Fuzz(func(t *testing.T, text string) {
		read, err := Parse(context.Background(), strings.NewReader(text), "f", Options{},
			func(*ledger.Telemetry) error { return nil })
		if err == nil && read.Rows != read.Accepted+read.Absent+read.RejectedRows()+read.IgnoredRows() {
			t.Fatalf("%+v", read)
		}
	})
}
