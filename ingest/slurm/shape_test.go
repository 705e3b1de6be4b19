package slurm

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
)

const (
	simple = "JobID|JobName|State|Submit|Start|End|AllocTRES|NodeList\n"
	plain  = "7|train|COMPLETED|2026-11-02T00:00:00|2026-11-02T01:00:00|2026-11-02T02:00:00|gres/gpu=1|n1\n"
	once   = "7@n1 gpu=1 02T01:00:00..02T02:00:00 succeeded, # m0"
)

func TestDelimitersAndOrders(t *testing.T) {
	for name, text := range map[string]string{
		"pipe":           simple + plain,
		"mark":           "\ufeff" + simple + plain,
		"trailing":       strings.ReplaceAll(simple+plain, "\n", "|\n"),
		"windows":        strings.ReplaceAll(simple+plain, "\n", "\r\n"),
		"two characters": strings.ReplaceAll(simple+plain, "|", "|#"),
		"letters":        strings.ReplaceAll(simple+plain, "|", "~~X~~"),
		"tab":            strings.ReplaceAll(simple+plain, "|", "\t"),
		"control":        strings.ReplaceAll(simple+plain, "|", "\x1f"),
		"comma":          "NodeList,JobID,State,Submit,Start,End,AllocTRES\nn1,7,COMPLETED,2026-11-02T00:00:00,2026-11-02T01:00:00,2026-11-02T02:00:00,\"cpu=1,gres/gpu=1\"\n",
		"widths":         "JobID%30|State%10|Submit|Start|End|AllocTRES%80|NodeList\n7|COMPLETED|2026-11-02T00:00:00|2026-11-02T01:00:00|2026-11-02T02:00:00|gres/gpu=1|n1\n",
		"again":          simple + plain + simple + "\n" + plain[:0],
		"pairs":          "JobID=7,State=COMPLETED,Submit=2026-11-02T00:00:00,Start=2026-11-02T01:00:00,End=2026-11-02T02:00:00,\"AllocTRES=cpu=1,gres/gpu:a=1,gres/gpu=1\",NodeList=n1\n",
		"scontrol": "JobId=7 JobName=my train\n   UserId=u(12) GroupId=g(1) Account=acc QOS=n\n   JobState=COMPLETED " +
			"Reason=None Dependency=(null)\n   Requeue=1 Restarts=0 BatchFlag=1 ExitCode=0:0\n" +
			"   SubmitTime=2026-11-02T00:00:00 EligibleTime=2026-11-02T00:00:00\n   StartTime=2026-11-02T01:00:00 " +
			"EndTime=2026-11-02T02:00:00\n   NodeList=n1\n   NumNodes=1\n   TRES=cpu=1,gres/gpu=1\n\n",
		"squeue": "JOBID|NAME|ST|SUBMIT_TIME|START_TIME|END_TIME|TRES_ALLOC|NODELIST(REASON)\n7|train|CD|2026-11-02T00:00:00|2026-11-02T01:00:00|2026-11-02T02:00:00|gres/gpu=1|n1\n",
	} {
		if !Detect([]byte(strings.TrimPrefix(text, "\ufeff"))) {
			t.Errorf("%s: not detected", name)
		}
		check(t, name, text, Options{}, once)
	}
}

func TestFreeTextWithSeparatorsAndLineEnds(t *testing.T) {
	for name, c := range map[string]struct{ was, is string }{
		"separator":      {"train", "a|b||c"},
		"line end":       {"train", "a\nb"},
		"both":           {"train", "x|\n|y\nz|8"},
		"bytes":          {"train", "tr\xff\xfein\x00"},
		"like a header":  {"train", "JobID"},
		"only separator": {"train", "|"},
	} {
		text := simple + strings.Replace(plain, c.was, c.is, 1) + strings.Replace(plain, "7|", "8|", 1)
		_, read := check(t, name, text, Options{}, once, strings.Replace(once, "7@", "8@", 1))
		if name == "bytes" && read.Noted["invalid UTF-8 replaced"] != 1 {
			t.Errorf("%v", read.Noted)
		}
	}
	got, _, _ := parse(t, simple+strings.Replace(plain, "train", "tr\xffin\x00a", 1), Options{})
	if name := got.Workloads[0].Labels["job-name"]; name != "tr\ufffdin a" {
		t.Errorf("%q", name)
	}
}

func TestRowsThatCannotBeTakenApart(t *testing.T) {
	text := simple + "7|cut\n" + plain + "x|train|COMPLETED|||||\n" + strings.Replace(plain, "COMPLETED", "SLEEPING", 1) +
		strings.Replace(plain, "n1", "n[1-", 1) +
		strings.Replace(plain, "n1", "n[1-99999999]", 1) + "9|end"
	_, read := check(t, "rows", text, Options{}, once)
	var got []string
	for _, r := range read.First {
		got = append(got, fmt.Sprintf("%d %s %s", r.Line, r.Column, r.Reason))
	}
	want := []string{
		"2  wrong number of fields", "4 JobID not a job id", "5 State unknown state",
		"6 NodeList bad node list", "7 NodeList bad node list", "8  wrong number of fields",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// Rows without a header are known by their columns. A faulty value in the first row is rejected
// as that row's.
func TestALayoutIsKnownByItsColumns(t *testing.T) {
	const (
		shredder = "7|7|c|gpu|normal|acc|grp|1|u|2|2026-11-02T00:00:00|2026-11-02T00:00:00|2026-11-02T01:00:00|2026-11-02T02:00:00|01:00:00|0:0|COMPLETED|1|8|8|3000M||gres/gpu=1|02:00:00|n1|train\n"
		queue    = "N/A|#1|#7|#7|#bash|#02:00:00|#0|#bash|#0.1|#RUNNING|#u|#24|#1|#1:00:00|#1:00:00|#n1|#(null)|#|#2026-11-02T01:00:00|#2026-11-02T00:00:00|#2026-11-02T00:00:00|#2026-11-02T01:00:00" +
			"|#100|#(null)|#gpu|#acc|#normal|#None|#cpu=24,node=1,gres/gpu=2|#|#1|#gpu|#0|#n1|#\n"
	)
	for name, c := range map[string]struct{ row, was, is, want string }{
		"shredder, state":     {shredder, "COMPLETED", "SLEEPING", "1 State unknown state"},
		"shredder, nodes":     {shredder, "|n1|", "|n[1-|", "1 NodeList bad node list"},
		"shredder, resources": {shredder, "gres/gpu=1", "gres/gpu=x", "1 AllocTRES not a number"},
		"shredder, no limit":  {shredder, "02:00:00|n1", "|n[1-", "1 NodeList bad node list"},
		"squeue, state":       {queue, "RUNNING", "SLEEPING", "1 State unknown state"},
		"squeue, nodes":       {queue, "|#n1|#(null)", "|#n[1-|#(null)", "1 NodeList bad node list"},
	} {
		text := strings.Replace(c.row, c.was, c.is, 1) + c.row
		_, read, err := parse(t, text, Options{})
		if err != nil || !Detect([]byte(text)) || read.Rows != 2 || read.Accepted != 1 || len(read.First) != 1 {
			t.Errorf("%s: %v, %+v", name, err, read)
			continue
		}
		if r := read.First[0]; fmt.Sprintf("%d %s %s", r.Line, r.Column, r.Reason) != c.want {
			t.Errorf("%s: %v", name, r)
		}
	}
	got, read, err := parse(t, strings.Replace(shredder, "train", "a|b", 1)+shredder, Options{})
	if err != nil || read.Accepted != 2 || got.Workloads[0].Labels["job-name"] != "a|b" {
		t.Errorf("a name with the delimiter: %v, %+v", err, read)
	}
	for _, text := range []string{
		"7|a|b|c|d|e|f|g|2026-11-02T00:00:00|x|y|z|w|v|FAILED|1|2|3|4|5|6|7|8\n", // no times next to the first
		strings.Replace(shredder, "2026-11-02T00:00:00", "", 1),
		strings.Replace(shredder, "|0:0|", "|fine|", 1),
		strings.Replace(shredder, "COMPLETED", "7 of 9", 1),
	} {
		if Detect([]byte(text)) {
			t.Errorf("%q is of no layout", text)
		}
	}
}

func TestFilesWithoutColumnNamesAreRefusedByName(t *testing.T) {
	for name, c := range map[string]struct{ text, reason, advice string }{
		"no header": {plain, "no header line", "--noheader"},
		"widths": {
			"JobID           JobName      State\n------------ ---------- ----------\n7              train  COMPLETED\n",
			"columns of fixed width", "--parsable2",
		},
		"squeue": {
			"             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n   7 gpu train u R 1:00 " +
				"1 n1\n", "columns of fixed width", "--format",
		},
		"endless": {strings.Repeat("x", 5<<20), "line too long", ""},
		"json":    {`{"jobs":[{"job_id":1`, "broken json", "ends inside"},
	} {
		_, _, err := parse(t, c.text, Options{})
		fe, ok := errors.AsType[*ledger.FileError](err)
		if !ok || fe.Reason != c.reason || !strings.Contains(fe.Detail, c.advice) {
			t.Errorf("%s: %.200v", name, err)
		}
	}
	for _, text := range []string{"", "\n\n", "a,b\n1,2\n", "JobID,Cost\n1,2\n", "{\"jobs\":1}", "# HELP x\n"} {
		if Detect([]byte(text)) {
			t.Errorf("%q is no accounting", text)
		}
	}
	if _, read, err := parse(t, " \n", Options{}); err != nil || read.Rows != 0 {
		t.Error(read, err)
	}
}

func TestIndicesOfDevices(t *testing.T) {
	const blocks = "JobId=7 ArrayJobId=5 ArrayTaskId=2 JobName=x JobState=RUNNING RunTime=00:10:00 " +
		"SubmitTime=2026-11-02T00:00:00 StartTime=2026-11-02T01:00:00 EndTime=2026-11-09T01:00:00 NodeList=n[1-2] " +
		"NumNodes=2 AllocTRES=cpu=4,gres/gpu=3,gres/gpu:a100=3\n" +
		"     Nodes=n1 CPU_IDs=0-3 Mem=0 GRES=gpu:a100:1(IDX:3)\n     Nodes=n2 CPU_IDs=0-3 Mem=0 GRES=gpu:a100:2(IDX:0,5)\n"
	got, _ := check(t, "blocks", blocks, Options{Cluster: "c"}, "7@n1 gpu=1 02T01:00:00..- running, # m0",
		"7@n2 gpu=2 02T01:00:00..- running, # m1")
	if len(got.Placements) != 3 || got.Placements[1].Device != "#0" || got.Placements[2].Device != "#5" ||
		got.Placements[1].Workload != "slurm/c/7/1793577600/n2" ||
		got.Placements[0].Evidence != ledger.EvidenceIndex || got.Placements[0].CoreShare != 1_000_000 ||
		got.Workloads[0].Labels[ledger.LabelGroup] != "c/5" || got.Workloads[0].LastSeen.String() != "2026-11-02T01:10:00Z" {
		t.Errorf("%+v", got.Placements)
	}
	const answer = `{"meta":{"slurm":{"cluster":"m"}},"jobs":[{"job_id":7,"job_state":["RUNNING"],"name":"x","partition":"p","submit_time":{"set":true,"infinite":false,"number":1793577600},
	 "start_time":{"set":true,"infinite":false,"number":1793581200},"end_time":{"set":true,"infinite":false,"number":1799999999},"nodes":"n[1-2]","tres_alloc_str":"cpu=4,gres/gpu=3",
	 "gres_detail":["gpu:a100:1(IDX:3)","gpu:a100:2(IDX:0,5)"],"array_job_id":{"set":true,"infinite":false,"number":5},"array_task_id":{"set":true,"infinite":false,"number":2},"het_job_id":{"set":true,"infinite":false,"number":0},"restart_cnt":1}]}`
	got, _ = check(t, "answer", answer, Options{Cluster: "c"}, "7@n1 gpu=1 02T01:00:00..- running, #2 m0",
		"7@n2 gpu=2 02T01:00:00..- running, #2 m1")
	if len(got.Placements) != 3 || got.Workloads[0].Cluster != "m" || got.Workloads[0].Labels[ledger.LabelGroup] != "m/5" {
		t.Errorf("%+v", got)
	}
	// Indices of MIG instances, and missing indices, link to no device.
	got, _ = check(t, "instances", strings.NewReplacer("gpu:a100:1(IDX:3)", "gpu:a100_1g.5gb:1(IDX:3)",
		"gpu:a100:2(IDX:0,5)", "gpu:2(IDX:N/A)").Replace(answer), Options{},
		"7@n1 mig_1g_5gb=1 02T01:00:00..- running, #2 m0", "7@n2 gpu=2 02T01:00:00..- running, #2 m1")
	if len(got.Placements) != 0 {
		t.Errorf("%+v", got.Placements)
	}
}

func TestJSONOfAllVersions(t *testing.T) {
	for name, text := range map[string]string{
		"states as list": `{"jobs":[{"job_id":7,"cluster":"c","partition":"p","state":{"current":["COMPLETED"],"reason":"None"},"time":{"submission":1793577600,"start":1793581200,"end":1793584800,"elapsed":3600},"nodes":"n1","tres":{"allocated":[{"type":"gres","name":"gpu:a100","count":1},{"type":"gres","name":"gpu","count":1},{"type":"cpu","count":4}]}}]}`,
		"state as text":  `{"jobs":[{"job_id":7,"cluster":"c","partition":"p","state":{"current":"COMPLETED"},"time":{"submission":1793577600,"start":1793581200,"end":1793584800},"nodes":"n1","tres":{"allocated":[{"type":"gres","name":"gpu","count":{"set":true,"infinite":false,"number":1}}]}}]}`,
		"flat":           `{"jobs":[{"job_id":7,"cluster":"c","partition":"p","job_state":"COMPLETED","submit_time":1793577600,"start_time":1793581200,"end_time":1793584800,"nodes":"n1","tres_alloc_str":"gres/gpu=1"}],"meta":{}}`,
		"flags":          `{"jobs":[{"job_id":7,"cluster":"c","partition":"p","job_state":["COMPLETED","COMPLETING"],"submit_time":1793577600,"start_time":1793581200,"end_time":1793584800,"nodes":"n1","tres_alloc_str":"gres/gpu=1"}]}`,
		"one after other": `{"jobs":[],"meta":{}}` + "\n" +
			`{"jobs":[{"job_id":7,"cluster":"c","partition":"p","job_state":"COMPLETED","submit_time":1793577600,"start_time":1793581200,"end_time":1793584800,"nodes":"n1","tres_alloc_str":"gres/gpu=1"}]}`,
		"jobs without box": `[{"job_id":7,"cluster":"c","partition":"p","job_state":"COMPLETED","submit_time":1793577600,"start_time":1793581200,"end_time":1793584800,"nodes":"n1","tres_alloc_str":"gres/gpu=1"}]`,
	} {
		check(t, name, text, Options{}, once)
	}
	_, read := check(t, "bad",
		`{"jobs":[{"job_id":"x"},7,{"job_id":1,"job_state":"ODD"},{"job_id":1,"job_state":"COMPLETED","tres":{"allocated":[{"type":"gres","name":"gpu","count":-1}]}}]}`, Options{})
	if read.RejectedRows() != 4 {
		t.Errorf("%v", read.First)
	}
}

func TestOrderOfRowsDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 8).Draw(t, "rows")
		var rows []string
		for range n {
			at := rapid.IntRange(0, 20).Draw(t, "at")
			state := rapid.SampledFrom([]string{"COMPLETED", "PREEMPTED", "NODE_FAIL", "RESIZING", "FAILED"}).Draw(t, "state")
			rows = append(rows, fmt.Sprintf("%d|x|%s|2026-11-02T%02d:00:00|2026-11-02T%02d:10:00|2026-11-02T%02d:50:00|gres/gpu=4|n[1-%d]\n",
				rapid.IntRange(1, 2).Draw(t, "job"), state, at, at, at, rapid.IntRange(1, 3).Draw(t, "nodes")))
		}
		slices.Sort(rows)
		rows = slices.Compact(rows)
		facts := func(rows []string) string {
			all := &ledger.Telemetry{}
			_, err := Parse(t.Context(), strings.NewReader(simple+strings.Join(rows, "")), "f", Options{},
				func(b *ledger.Telemetry) error {
					all.Workloads, all.Sources = append(all.Workloads, b.Workloads...), append(all.Sources, b.Sources...)
					return nil
				})
			if err != nil {
				t.Fatal(err)
			}
			var lines []string
			for _, w := range all.Workloads {
				lines = append(lines, fmt.Sprintf("%+v", w))
			}
			slices.Sort(lines)
			return strings.Join(lines, "\n") + fmt.Sprint(all.Sources)
		}
		if a, b := facts(rows), facts(rapid.Permutation(rows).Draw(t, "order")); a != b {
			t.Fatalf("%s\n\n%s", a, b)
		}
	})
}

func TestNodeListsAreTheirNames(t *testing.T) {
	for list, want := range map[string]string{
		"gpu[01-03,7],cpu1": "gpu01 gpu02 gpu03 gpu7 cpu1", "n[08-11]": "n08 n09 n10 n11",
		"r[1-2]n[01-02]-ib": "r1n01-ib r1n02-ib r2n01-ib r2n02-ib",
		"":                  "", "None assigned": "", "(null)": "", "a,b": "a b", "n[5]": "n5",
		"node[1281-1283,1301]": "node1281 node1282 node1283 node1301",
	} {
		got, err := expandHosts(list)
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%q: %q %v", list, got, err)
		}
	}
	for _, list := range []string{
		"n[1-", "n[3-1]", "n[a]", "n]", "n[[1]]", "n[0-99999999]", "n[0-9999]m[0-9999]", "n[1-4294967296]",
	} {
		if got, err := expandHosts(list); err == nil {
			t.Errorf("%q: %d names", list, len(got))
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 4).Draw(t, "width")
		low := rapid.IntRange(0, 500).Draw(t, "low")
		high := low + rapid.IntRange(0, 500).Draw(t, "more")
		one := rapid.IntRange(0, 99999).Draw(t, "one")
		prefix := rapid.StringMatching(`[a-z][a-z0-9-]{0,5}[a-z]`).Draw(t, "prefix")
		got, err := expandHosts(fmt.Sprintf("%s[%0*d-%d,%d]", prefix, width, low, high, one))
		if err != nil || len(got) != high-low+2 || got[len(got)-1] != fmt.Sprint(prefix, one) {
			t.Fatal(got, err)
		}
		for i, name := range got[:len(got)-1] {
			if name != fmt.Sprintf("%s%0*d", prefix, width, low+i) {
				t.Fatal(name)
			}
		}
	})
}

func TestResourcesAreSharedOutWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := gpus{
			whole: rapid.Int64Range(0, 300).Draw(t, "whole"), shards: rapid.Int64Range(0, 30).Draw(t, "shards"),
			mig: map[string]int64{"1g.5gb": rapid.Int64Range(0, 9).Draw(t, "mig")},
		}
		n := rapid.IntRange(1, 40).Draw(t, "nodes")
		var whole, shards, mig, before int64
		for i := range n {
			p := g.part(i, n)
			whole, shards, mig = whole+p.whole, shards+p.shards, mig+p.mig["1g.5gb"]
			if i > 0 && p.whole > before {
				t.Fatal("larger shares come first")
			}
			before = p.whole
		}
		if whole != g.whole || shards != g.shards || mig != g.mig["1g.5gb"] {
			t.Fatal(whole, shards, mig)
		}
		typed, plain := rapid.Int64Range(0, 64).Draw(t, "typed"), rapid.Bool().Draw(t, "plain")
		text := fmt.Sprintf("cpu=1,gres/gpu:a=%d,gres/gpu:b=%d", typed, typed)
		if plain {
			text += fmt.Sprintf(",gres/gpu=%d", 2*typed)
		}
		if got, bad := parseTRES(text); bad || got.whole != 2*typed {
			t.Fatal(text, got)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add(simple + plain)
	f.Add(header + "5_[3-4%1]|5|c|a|u|p|q|PENDING|0:0|2026-11-02T00:00:00||||||gres/gpu=1||x|y\n")
	f.Add(`{"jobs":[{"job_id":7,"job_state":"RUNNING","nodes":"n[1-2]","start_time":5,"gres_detail":["gpu:1(IDX:0)"]}]}`)
	f.Add("JobId=7 JobName=x JobState=RUNNING\n  Nodes=n1 GRES=gpu:1(IDX:0)\n")
	f.Add("JobID=7,State=COMPLETED,\"AllocTRES=a,b\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		got, read, err := parse(t, text, Options{})
		if err != nil {
			if _, ok := errors.AsType[*ledger.FileError](err); !ok {
				t.Fatal(err)
			}
			return
		}
		if read.Rows != read.Accepted+read.IgnoredRows()+read.RejectedRows() {
			t.Fatalf("%d rows, %d accepted, %v ignored, %v rejected", read.Rows, read.Accepted, read.Ignored, read.Rejected)
		}
		for _, w := range got.Workloads {
			if w.UID == "" || w.Completed > 0 && w.Completed < w.Started {
				t.Fatalf("%+v", w)
			}
			for key, value := range w.Labels {
				if strings.ContainsRune(value, 0) || value == "" {
					t.Fatalf("label %s is %q", key, value)
				}
			}
		}
	})
}
