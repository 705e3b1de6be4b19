package attempts

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
)

func parse(t testing.TB, text string, o Options) (*ledger.Telemetry, ledger.Reading, error) {
	t.Helper()
	all := &ledger.Telemetry{}
	read, err := Parse(t.Context(), strings.NewReader(text), "attempts.csv", o, func(b *ledger.Telemetry) error {
		all.Workloads = append(all.Workloads, b.Workloads...)
		all.Objects = append(all.Objects, b.Objects...)
		all.Segments = append(all.Segments, b.Segments...)
		all.Placements = append(all.Placements, b.Placements...)
		all.Checkpoints = append(all.Checkpoints, b.Checkpoints...)
		return nil
	})
	return all, read, err
}

const csv = `run_id,attempt,team,submitted_at,started_at,ended_at,outcome,nodes,gpus,devices,last_checkpoint_at,label:dataset,colour
r1,1,vision,2026-11-01T00:00:00Z,2026-11-01T01:00:00Z,2026-11-01T03:00:00Z,spot,i-1;i-2;i-3,8,,2026-11-01T02:00:00Z,imagenet,red
r1,2,vision,2026-11-01T03:00:00Z,2026-11-01T03:30:00Z,,,n1,,GPU-a;n1/GPU-b;n2/GPU-c;3,,imagenet,red
`

func TestAttemptsOnNodes(t *testing.T) {
	got, read, err := parse(t, csv, Options{Cluster: "c"})
	if err != nil || read.Accepted != 2 || read.Noted["unknown column colour"] != 1 {
		t.Fatal(err, read)
	}
	var lines []string
	for _, w := range got.Workloads {
		lines = append(lines, fmt.Sprintf("%s %d %s,%s %s..%s m%s #%s", w.UID, w.Requests[ledger.ResourceGPU], w.Outcome,
			w.Reason, w.Started, w.Completed, w.Labels[ledger.LabelMember], w.Labels[ledger.LabelAttempt]))
	}
	want := []string{
		"attempts/c//r1//1/i-1 3 preempted,spot_interruption 2026-11-01T01:00:00Z..2026-11-01T03:00:00Z m0 #1",
		"attempts/c//r1//1/i-2 3 preempted,spot_interruption 2026-11-01T01:00:00Z..2026-11-01T03:00:00Z m1 #1",
		"attempts/c//r1//1/i-3 2 preempted,spot_interruption 2026-11-01T01:00:00Z..2026-11-01T03:00:00Z m2 #1",
		"attempts/c//r1//2/n1 3 running, 2026-11-01T03:30:00Z..1970-01-01T00:00:00Z m0 #2",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("%s", strings.Join(lines, "\n"))
	}
	w := got.Workloads[0]
	if w.Labels["dataset"] != "imagenet" || w.Labels["team"] != "vision" || w.Labels[ledger.LabelRunID] != "r1" ||
		ledger.AttrsTime(w.AttrsAt) != 1793502000000 || w.System != ledger.SystemAttempts {
		t.Errorf("%+v", w)
	}
	if len(got.Checkpoints) != 1 || got.Checkpoints[0].Run != "r1" ||
		got.Checkpoints[0].At.String() != "2026-11-01T02:00:00Z" {
		t.Errorf("%+v", got.Checkpoints)
	}
	var devices []string
	for _, p := range got.Placements {
		devices = append(devices, p.Device)
	}
	if strings.Join(devices, " ") != "GPU-a GPU-b #3" || got.Placements[0].Workload != "attempts/c//r1//2/n1" {
		t.Errorf("%v", devices)
	}
	if o := got.Objects[0]; o.Kind != ledger.KindAttempts || o.Name != "r1" || o.Labels[ledger.LabelAttempt] != "" {
		t.Errorf("%+v", o)
	}
}

func TestUnknownCreationStaysUnknown(t *testing.T) {
	got, _, err := parse(t, "run_id,started_at,nodes\nr,2026-11-01T01:00:00Z,n1\nr,2026-11-01T05:00:00Z,\n", Options{})
	if err != nil || len(got.Workloads) != 2 {
		t.Fatal(err, got)
	}
	for _, w := range got.Workloads {
		if w.Created != 0 || w.FirstSeen != w.Started || w.Started == 0 {
			t.Errorf("%+v", w)
		}
	}
}

func TestAttemptsOfPods(t *testing.T) {
	got, _, err := parse(t, `{"run_id":"r","attempt":2,"pods":["ns/p1","p2"],"namespace":"m","started_at":"2026-11-01T01:00:00Z","ended_at":"2026-11-01T02:00:00Z","outcome":"OOMKilled","group":"sweep","model":"x","resumed_from":"2026-10-31T00:00:00Z","label:dataset":"d"}`, Options{Cluster: "c"})
	if err != nil || len(got.Workloads) != 0 || len(got.Segments) != 2 {
		t.Fatal(err, got)
	}
	s := got.Segments
	if s[0].Namespace != "ns" || s[0].Pod != "p1" || s[1].Namespace != "m" || s[1].Attempt != 2 ||
		s[0].Outcome != ledger.OOM || s[0].Group != "sweep" || s[0].Labels["model"] != "x" || s[0].Labels["dataset"] != "d" ||
		s[0].To.String() != "2026-11-01T02:00:00Z" {
		t.Errorf("%+v", s)
	}
	if len(got.Checkpoints) != 1 {
		t.Errorf("%+v", got.Checkpoints)
	}
}

func TestUnreadableRowsAreRejected(t *testing.T) {
	text := "run_id,attempt,started_at,submitted_at,ended_at,outcome,gpus\n" +
		",1,2026-11-01T01:00:00Z,,,,\nr,0,2026-11-01T01:00:00Z,,,,\nr,1,soon,,,,\nr,1,,,,,\nr,1,2026-11-01T01:00:00Z,,2026-11-01T00:00:00Z,,\nr,1,2026-11-01T01:00:00Z,,,odd,\nr,1,2026-11-01T01:00:00Z,,,,-3\nr,1\nr,,,2026-11-01T01:00:00Z,,,4\n"
	got, read, err := parse(t, text, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, r := range read.First {
		lines = append(lines, fmt.Sprintf("%d %s %s", r.Line, r.Column, r.Reason))
	}
	want := []string{
		"2 run_id missing value", "3 attempt not a number", "4 started_at not a time", "5 started_at missing value",
		"6 ended_at ends before it starts", "7 outcome unknown outcome", "8 gpus not a number", "9  wrong number of fields",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("%q", lines)
	}
	if len(got.Workloads) != 1 || got.Workloads[0].Node != "" || got.Workloads[0].Outcome != ledger.Running ||
		got.Workloads[0].Requests[ledger.ResourceGPU] != 4 || read.Unlabelled != 1 {
		t.Errorf("%+v", got.Workloads)
	}
	_, _, err = parse(t, "run,start\n1,2\n", Options{})
	if err == nil || !strings.Contains(err.Error(), "run_id, started_at or submitted_at is required") {
		t.Error(err)
	}
}

func TestDetect(t *testing.T) {
	for text, want := range map[string]bool{
		csv: true, `[{"run_id":"r","started_at":1}]`: true, "run_id,x\n": false,
		`{"run_id":"r","metrics":{}}`: false, "": false, "JobID|State\n": false,
	} {
		if Detect([]byte(text)) != want {
			t.Errorf("%.40q", text)
		}
	}
}

func TestSharesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total, n := rapid.Int64Range(0, 4096).Draw(t, "total"), rapid.IntRange(1, 300).Draw(t, "n")
		var sum int64
		for i := range n {
			sum += share(total, i, n)
		}
		if sum != total {
			t.Fatal(sum)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add(csv)
	f.Add(`{"attempts":[{"run_id":"r","started_at":1793502000,"nodes":"a;b","gpus":3}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		_, read, err := parse(t, text, Options{})
		if err != nil {
			if _, ok := errors.AsType[*ledger.FileError](err); !ok {
				t.Fatal(err)
			}
			return
		}
		if read.Rows != read.Accepted+read.RejectedRows() {
			t.Fatalf("%+v", read)
		}
	})
}
