package slurm

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/test/billtest"
)

// sampleFile opens a public sample, or skips the test if it is missing.
func sampleFile(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(billtest.Samples(t, "telemetry/slurm/"+name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestPublicSamples(t *testing.T) {
	for _, c := range []struct {
		name                    string
		rows, accepted, ignored int64
		workloads, queued       int
		gpus                    int64 // Σ requests of the placed jobs
	}{
		{"gcm-sample-sacct-output-midnight-edge-case-small.txt", 11, 3, 8, 3, 3, 0},
		{"gcm-sample-sacct-running-output.txt", 10, 0, 10, 0, 0, 0},
		{"gcm-sample-squeue-output.txt", 5, 4, 1, 35, 1, 2 + 1 + 256},
		{"jobanalyzer-slurm-sacct.csv", 876, 84, 792, 84, 0, 84},
		{"sarc-mila_1716595200.json", 7, 4, 3, 4, 0, 5},
		{"sarc-raisin_1721779200.json", 5, 3, 2, 3, 0, 3},
		{"telegraf-slurmrestd-jobs.json", 3, 0, 3, 0, 0, 0},
		{"xdmod-accounting-logs.log", 4, 1, 3, 2, 0, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := sampleFile(t, c.name)
			if !Detect(text[:min(len(text), 64<<10)]) && c.name != "gcm-sample-sacct-output-midnight-edge-case-small.txt" {
				t.Errorf("%s is not detected", c.name)
			}
			got, read, err := parse(t, string(text), Options{Cluster: "c1"})
			if err != nil || len(read.First) > 0 {
				t.Errorf("%s: %v %v", c.name, err, read.First)
				return
			}
			var gpus int64
			queued := 0
			for _, w := range got.Workloads {
				if w.Node == "" {
					queued++
				} else {
					gpus += w.Requests[ledger.ResourceGPU]
				}
			}
			if read.Rows != c.rows || read.Accepted != c.accepted || read.IgnoredRows() != c.ignored ||
				len(got.Workloads) != c.workloads || queued != c.queued || gpus != c.gpus {
				t.Errorf("%s: %d rows, %d accepted, ignored %v, %d workloads, %d without a node, %d GPUs; want %+v", c.name,
					read.Rows, read.Accepted, read.Ignored, len(got.Workloads), queued, gpus, c)
			}
		})
	}
}

func TestCountsOfPublicResourceStrings(t *testing.T) {
	var pairs [][2]any
	if err := json.Unmarshal(sampleFile(t, "xdmod-alloc-tres-gpu-count.json"), &pairs); err != nil {
		t.Fatal(err)
	}
	if len(pairs) != 9 {
		t.Errorf("%d pairs", len(pairs))
	}
	for _, p := range pairs {
		g, bad := parseTRES(p[0].(string))
		if bad || g.whole != int64(p[1].(float64)) || len(g.mig) > 0 {
			t.Errorf("%q: %+v, want %v", p[0], g, p[1])
		}
	}
}

// A cancelled job's steps end after it, here on the next day: its resources were free when the
// job ended.
func TestStepsThatOutliveTheirJob(t *testing.T) {
	got, read, err := parse(t, string(sampleFile(t, "gcm-sample-sacct-output-midnight-edge-case-small.txt")), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range got.Workloads {
		if w.Outcome != ledger.Cancelled || w.Completed.String() != "2021-04-07T23:59:38Z" || w.Reason != "CANCELLED" {
			t.Errorf("%+v", w)
		}
	}
	if read.Noted["step that ends after its job"] != 5 {
		t.Errorf("%v", read.Noted)
	}
	if len(got.Sources) != 1 || got.Sources[0].Hour.String() != "2021-04-07T23:00:00Z" || got.Sources[0].Minutes != 1<<59 {
		t.Errorf("covered is the minute in which all ended: %+v", got.Sources)
	}
}

// Real rows list the typed and the plain count of the same GPUs.
func TestDoubledResources(t *testing.T) {
	text := string(sampleFile(t, "jobanalyzer-slurm-sacct.csv"))
	got, _, err := parse(t, text, Options{})
	if err != nil {
		t.Fatal(err)
	}
	outcomes := map[ledger.Outcome]int{}
	for _, w := range got.Workloads {
		outcomes[w.Outcome]++
		if w.Requests[ledger.ResourceGPU] != 1 {
			t.Errorf("%s: %v", w.Name, w.Requests)
		}
		if w.Completed <= w.Started || w.Created > w.Started {
			t.Errorf("%s: %s %s %s", w.Name, w.Created, w.Started, w.Completed)
		}
	}
	first := got.Workloads[0]
	if outcomes[ledger.Succeeded] != 82 || outcomes[ledger.Failed] != 1 || outcomes[ledger.Timeout] != 1 ||
		first.Started.String() != "2025-05-02T12:09:52Z" ||
		first.Labels["gpu-type"] != "a100" || first.Labels["queue"] != "accel_long" ||
		strings.Count(text, "gres/gpu:a100=1,gres/gpu=1") < 2 {
		t.Errorf("%v %+v", outcomes, first)
	}
}

func TestQueueOfThePublicSample(t *testing.T) {
	got, _, err := parse(t, string(sampleFile(t, "gcm-sample-squeue-output.txt")), Options{})
	if err != nil {
		t.Fatal(err)
	}
	nodes := map[string]int{}
	for _, w := range got.Workloads {
		if nodes[w.Name]++; w.Node == "" {
			if w.Name != "42271120" || w.Requests[ledger.ResourceGPU] != 320 || w.Started != 0 ||
				w.Reason != "JobArrayTaskLimit" || w.Labels[ledger.LabelGroup] != "default/42271120" {
				t.Errorf("%+v", w)
			}
		}
	}
	if nodes["45704744"] != 1 || nodes["42953598"] != 1 || nodes["42956774"] != 32 {
		t.Errorf("%v", nodes)
	}
	w := got.Workloads[0] // started 13:44:41, has run for 17:22:49
	if w.LastSeen.String() != "2025-04-11T07:07:30Z" || w.Completed != 0 || w.Outcome != ledger.Running ||
		w.Requests[ledger.ResourceGPU] != 2 || w.Node != "node1321" {
		t.Errorf("%+v", w)
	}
}

func TestJSONOfThePublicSample(t *testing.T) {
	got, _, err := parse(t, string(sampleFile(t, "sarc-raisin_1721779200.json")), Options{Cluster: "other"})
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]ledger.WorkloadFact{}
	for _, w := range got.Workloads {
		byName[w.Name] = w
	}
	w := byName["8"]
	if w.Cluster != "raisin" || w.Outcome != ledger.Running || w.LastSeen != w.Started+2666414 ||
		w.Labels["gpu-type"] != "l40s" || w.Node != "rn-l008" || w.Labels[ledger.LabelGroup] != "" {
		t.Errorf("%+v", w)
	}
	if w := byName["14"]; w.Outcome != ledger.Succeeded || int64(w.Completed-w.Started) != 148 {
		t.Errorf("%+v", w)
	}
}
