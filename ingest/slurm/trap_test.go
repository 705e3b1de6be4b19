package slurm

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/test/tier"
)

const header = "JobID|JobIDRaw|Cluster|Account|User|Partition|QOS|State|ExitCode|Submit|Eligible|Start|End|ElapsedRaw|AllocTRES|ReqTRES|NodeList|JobName|Comment\n"

// shown is a workload in a line: uid-tail node gpus [from,to) outcome reason attempt.
func shown(ws []ledger.WorkloadFact) []string {
	var out []string
	for _, w := range ws {
		var res []string
		for name, n := range w.Requests {
			res = append(res, fmt.Sprintf("%s=%d", strings.TrimPrefix(name, "nvidia_com_"), n))
		}
		slices.Sort(res)
		clock := func(s period.Second) string {
			if s == 0 {
				return "-"
			}
			return s.Time().Format("02T15:04:05")
		}
		out = append(out, fmt.Sprintf("%s@%s %s %s..%s %s,%s #%s m%s", w.Name, w.Node, strings.Join(res, "+"),
			clock(w.Started), clock(w.Completed), w.Outcome, w.Reason,
			w.Labels[ledger.LabelAttempt], w.Labels[ledger.LabelMember]))
	}
	return out
}

func check(t *testing.T, name, text string, o Options, want ...string) (*ledger.Telemetry, ledger.Reading) {
	t.Helper()
	got, read, err := parse(t, text, o)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return got, read
	}
	if lines := shown(got.Workloads); !slices.Equal(lines, want) {
		t.Errorf("%s: %v\ngot  %s\nwant %s", name, read.First, strings.Join(lines, "\n     "), strings.Join(want, "\n     "))
	}
	if read.Rows != read.Accepted+read.IgnoredRows()+read.RejectedRows() {
		t.Errorf("%s: %d rows, %d accepted, ignored %v, rejected %v", name, read.Rows, read.Accepted, read.Ignored,
			read.Rejected)
	}
	return got, read
}

func TestCostRowsAreJobsNotSteps(t *testing.T) {
	_, read := check(t, "steps", header+
		"7|7|c|acc|u|gpu|n|COMPLETED|0:0|2026-11-02T00:00:00|2026-11-02T00:00:00|2026-11-02T01:00:00|2026-11-02T02:00:00|3600|cpu=8,gres/gpu:a100=3,gres/gpu=3,node=2|gres/gpu=3|n[1-2]|train|\n"+
		"7.batch|7.batch|c|acc||||COMPLETED|0:0|2026-11-02T01:00:00||2026-11-02T01:00:00|2026-11-02T02:00:00|3600|cpu=8,gres/gpu:a100=3,gres/gpu=3,node=2||n1|batch|\n"+
		"7.0|7.0|c|acc||||COMPLETED|0:0|2026-11-02T01:00:00||2026-11-02T01:00:00|2026-11-02T02:00:00|3600|gres/gpu=3||n[1-2]|python|\n",
		Options{}, "7@n1 gpu=2 02T01:00:00..02T02:00:00 succeeded, # m0",
		"7@n2 gpu=1 02T01:00:00..02T02:00:00 succeeded, # m1")
	if read.Ignored["step of a job"] != 2 {
		t.Errorf("%v", read.Ignored)
	}
}

func TestLivesOfRequeuedJobs(t *testing.T) {
	row := func(state, submit, start, end, node string) string {
		return "9|9|c|acc|u|gpu|n|" + state + "|0:0|2026-11-02T" + submit + "|2026-11-02T" + submit + "|2026-11-02T" + start +
			"|2026-11-02T" + end + "||gres/gpu=4|gres/gpu=4|" + node + "|train|run_id=abc,team=vision other=x\n"
	}
	text := header + row("RUNNING", "05:00:00", "05:10:00", "Unknown", "n3")
	text = strings.Replace(text, "2026-11-02TUnknown", "Unknown", 1) +
		row("PREEMPTED", "01:00:00", "01:00:00", "02:00:00", "n1") +
		row("NODE_FAIL", "02:00:05", "03:00:00", "04:59:59", "n2")
	got, _ := check(t, "requeues", text, Options{},
		"9@n1 gpu=4 02T01:00:00..02T02:00:00 preempted,scheduler #1 m0",
		"9@n2 gpu=4 02T03:00:00..02T04:59:59 node_failure,NODE_FAIL #2 m0",
		"9@n3 gpu=4 02T05:10:00..- running, #3 m0")
	for _, o := range got.Objects {
		if o.Kind != ledger.KindSlurmJob || o.Name != "9" || o.Namespace != "acc" ||
			o.Created.String() != "2026-11-02T01:00:00Z" || o.Labels["team"] != "vision" {
			t.Errorf("%+v", o)
		}
	}
	if w := got.Workloads[0]; w.Labels[ledger.LabelRunID] != "abc" || w.Labels["other"] != "" ||
		w.UID != "slurm/c/9/1793581200/n1" || w.Labels["queue"] != "gpu" || w.Labels["user"] != "u" {
		t.Errorf("%+v", w)
	}
	// Without -D only the last life is listed, and its number is unknown.
	check(t, "last life", header+row("COMPLETED", "05:00:00", "05:10:00", "06:00:00", "n3"), Options{},
		"9@n3 gpu=4 02T05:10:00..02T06:00:00 succeeded, # m0")
	// A number that was reused long after.
	check(t, "again", header+row("COMPLETED", "01:00:00", "01:00:00", "02:00:00", "n1")+row("FAILED", "05:00:00",
		"05:10:00", "06:00:00", "n3"), Options{},
		"9@n1 gpu=4 02T01:00:00..02T02:00:00 succeeded, # m0", "9@n3 gpu=4 02T05:10:00..02T06:00:00 failed,FAILED # m0")
}

func TestResizedJobsAreRowsToBeAdded(t *testing.T) {
	row := func(state, start, end, tres, nodes string) string {
		return "9|9|c|acc|u|gpu|n|" + state + "|1:0|2026-11-02T01:00:00||2026-11-02T" + start + "|2026-11-02T" + end + "||" +
			tres + "||" + nodes + "|train|\n"
	}
	got, _ := check(t, "resized", header+row("RESIZING", "01:00:00", "02:00:00", "gres/gpu=8", "n[1-2]")+row("FAILED",
		"02:00:00", "03:00:00", "gres/gpu=4", "n1"), Options{},
		"9@n1 gpu=4 02T01:00:00..02T02:00:00 succeeded,resizing # m0",
		"9@n2 gpu=4 02T01:00:00..02T02:00:00 succeeded,resizing # m1",
		"9@n1 gpu=4 02T02:00:00..02T03:00:00 failed,exit code 1 # m0")
	if got.Workloads[0].UID == got.Workloads[2].UID {
		t.Error("two parts of one life are two facts")
	}
}

func TestArraysAndHeterogeneousJobs(t *testing.T) {
	got, _ := check(t, "arrays", header+
		"5_2|6|c|acc|u|gpu|n|TIMEOUT|0:0|2026-11-02T00:00:00||2026-11-02T01:00:00|2026-11-02T02:00:00||gres/gpu=1||n1|a|\n"+
		"5_[3-4,7%2]|5|c|acc|u|gpu|n|PENDING|0:0|2026-11-02T00:00:00|2026-11-02T00:00:01|Unknown|Unknown|0||cpu=1,gres/gpu=2|None assigned|a|\n"+
		"8+0|8|c|acc|u|gpu|n|COMPLETED|0:0|2026-11-02T00:00:00||2026-11-02T01:00:00|2026-11-02T02:00:00||gres/gpu=1||n1|h|\n"+
		"8+1|9|c|acc|u|gpu|n|COMPLETED|0:0|2026-11-02T00:00:00||2026-11-02T01:00:00|2026-11-02T02:00:00||gres/gpu=2||n[2-3]|h|\n", Options{},
		"6@n1 gpu=1 02T01:00:00..02T02:00:00 timeout,TIMEOUT # m0",
		"5@ gpu=6 -..- running, # m",
		"8@n1 gpu=1 02T01:00:00..02T02:00:00 succeeded, # m0-0",
		"9@n2 gpu=1 02T01:00:00..02T02:00:00 succeeded, # m1-0", "9@n3 gpu=1 02T01:00:00..02T02:00:00 succeeded, # m1-1")
	w := got.Workloads
	if w[0].Labels[ledger.LabelGroup] != "c/5" || w[1].Labels[ledger.LabelGroup] != "c/5" || w[0].OwnerName != "6" ||
		w[3].OwnerName != "8" || w[2].OwnerName != "8" {
		t.Errorf("%+v", w)
	}
}

func TestStatesOfAllSpellings(t *testing.T) {
	for text, want := range map[string]string{
		"CANCELLED by 1000": "CANCELLED cancelled", "CANCELLED+": "CANCELLED cancelled",
		"OUT_OF_ME+": "OUT_OF_MEMORY oom", "NODE_FAIL": "NODE_FAIL node_failure",
		"PR": "PREEMPTED preempted", "R": "RUNNING running", "PD": "PENDING running",
		"COMPLETED": "COMPLETED succeeded", "DEADLINE": "DEADLINE timeout", "REVOKED": "REVOKED cancelled",
		"BOOT_FAIL": "BOOT_FAIL node_failure", "SUSPENDED": "SUSPENDED running",
		"REQUEUED": "REQUEUED preempted", "RE+": "", "SLEEPING": "", "": "",
	} {
		name, s, ok := stateOf(text)
		got := ""
		if ok {
			got = name + " " + string(s.outcome)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if name, _, _ := stateOfList([]string{"COMPLETING", "CANCELLED"}); name != "CANCELLED" {
		t.Error(name)
	}
}

func TestCancelledInTheQueue(t *testing.T) {
	check(t, "queue", header+"7|7|c|acc|u|gpu|n|CANCELLED by "+
		"12|0:0|2026-11-02T00:00:00|2026-11-02T00:00:00|None|2026-11-02T02:00:00|0||gres/gpu:h100=8|None assigned|train|\n",
		Options{}, "7@ gpu=8 -..02T02:00:00 cancelled,CANCELLED # m")
}

func TestSharesAndSlices(t *testing.T) {
	row := func(tres string) string {
		return header + "7|7|c|acc|u|gpu|n|COMPLETED|0:0|2026-11-02T00:00:00||2026-11-02T01:00:00|2026-11-02T02:00:00||" +
			tres + "||n1|x|\n"
	}
	const when = " 02T01:00:00..02T02:00:00 succeeded, # m0"
	for tres, want := range map[string]string{
		"gres/gpu:nvidia_a100_1g.5gb=2,gres/gpu=2": "mig_1g_5gb=2", "gres/gpu:1g.10gb+me=1": "mig_1g_10gb_me=1",
		"gres/gpu:a100_3g.20gb=1,gres/gpu:a100=1,gres/gpu=2": "gpu=1+mig_3g_20gb=1",
		"gres/shard=5": "gpu_shared=5", "gres/shard:a100=5": "gpu_shared=5",
		"gres/gpu:a100=2,gres/gpu:h100=1": "gpu=3", "gres/gpumem=5G,gres/gpu=1,gres/gpuutil=100": "gpu=1",
	} {
		check(t, tres, row(tres), Options{}, "7@n1 "+want+when)
	}
	if _, read := check(t, "none", row("cpu=4,mem=1G"), Options{}); read.Ignored["job without GPUs"] != 1 {
		t.Errorf("%v", read.Ignored)
	}
	if _, read := check(t, "broken", row("gres/gpu=x"), Options{}); read.Rejected["not a number"] != 1 {
		t.Errorf("%v", read.Rejected)
	}
}

func TestTimesOfAllKinds(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		tier.Absent(t, "no time zones: ", err)
	}
	row := func(start, end, elapsed string) string {
		return header + "7|7|c|acc|u|gpu|n|COMPLETED|0:0|" + start + "||" + start + "|" + end + "|" + elapsed +
			"|gres/gpu=1||n1|x|\n"
	}
	for _, c := range []struct{ start, end, elapsed, want string }{
		{"2026-11-02T01:00:00", "2026-11-02T02:00:00", "3600", "02T00:00:00..02T01:00:00"},
		{"2026-11-02T01:00:00+05:30", "2026-11-02T01:00:00Z", "", "01T19:30:00..02T01:00:00"},
		{"1793581200", "1793584800", "3600", "02T01:00:00..02T02:00:00"},
		// The hour from 2 to 3 occurred twice: the elapsed time decides which one.
		{"2026-10-25T01:30:00", "2026-10-25T02:30:00", "3600", "24T23:30:00..25T00:30:00"},
		{"2026-10-25T01:30:00", "2026-10-25T02:30:00", "7200", "24T23:30:00..25T01:30:00"},
		{"2026-10-25T02:40:00", "2026-10-25T02:20:00", "2400", "25T00:40:00..25T01:20:00"},
		{"2026-10-25T02:40:00", "2026-10-25T02:20:00", "", "25T00:40:00..25T01:20:00"},
	} {
		check(t, c.start, row(c.start, c.end, c.elapsed), Options{Zone: berlin}, "7@n1 gpu=1 "+c.want+" succeeded, # m0")
	}
	for _, c := range []struct{ start, end, reason string }{
		{"yesterday", "2026-11-02T02:00:00", "not a time"},
		{"2026-11-02T02:00:00", "2026-11-01T02:00:00", "ends before it starts"},
		{"2026-11-02T02:00:00", "2036-11-01T02:00:00", "time in the future"},
	} {
		if _, read := check(t, c.reason, row(c.start, c.end, ""), Options{Now: 1800000000}); read.Rejected[c.reason] != 1 ||
			read.First[0].Line != 2 {
			t.Errorf("%v", read.First)
		}
	}
	for text, want := range map[string]int64{
		"1-02:03:04": 93784, "02:03:04": 7384, "03:04": 184, "03:04.5": 184,
		"2-01": 176400, "5": -1, "": -1, "x": -1, "1:2:3:4": -1,
	} {
		got, ok := parseElapsed(text)
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
