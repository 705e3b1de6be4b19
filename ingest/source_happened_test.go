package ingest

import (
	"strings"
	"testing"
	"time"

	"gpuledger/internal/blob"
)

// One file of each format that is neither a bill nor series, and its detected source.
var happened = map[string]struct{ text, source string }{
	"jobs.txt": {
		"JobID|State|Submit|Start|End|AllocTRES|NodeList\n7|COMPLETED|2026-11-02T00:00:00|2026-11-02T01:00:00|2026-11-02T02:00:00|gres/gpu=1|n1\n", SourceSlurm,
	},
	"jobs.csv": {
		"JobID,State,Submit,Start,End,AllocTRES,NodeList\n7,COMPLETED,2026-11-02T00:00:00,2026-11-02T01:00:00,2026-11-02T02:00:00,\"cpu=1,gres/gpu=1\",n1\n", SourceSlurm,
	},
	"jobs.json": {`{"meta":{"plugin":{"type":"openapi/v0.0.38"},"Slurm":{}},"jobs":[{"job_id":7,"job_state":"COMPLETED","partition":"p","start_time":1793581200,"end_time":1793584800,"nodes":"n1","tres_alloc_str":"gres/gpu=1"}]}`,
		SourceSlurm},
	"training.json": {
		`{"TrainingJobName":"j","TrainingJobArn":"arn:aws:sagemaker:us-east-1:1:training-job/j","TrainingJobStatus":"InProgress","CreationTime":1793581200}`, SourceSageMaker,
	},
	"attempts.csv":  {"run_id,started_at,nodes\nr,2026-11-02T00:00:00Z,n1\n", SourceAttempts},
	"attempts.json": {`{"run_id":"r","started_at":"2026-11-02T00:00:00Z"}`, SourceAttempts},
	"runs.json": {
		`{"runs":[{"info":{"run_id":"r","experiment_id":"1","status":"RUNNING","start_time":1793581200000},"data":{"tags":[{"key":"pod_name","value":"p"}]}}]}`, SourceExperiments,
	},
	"wandb.csv": {
		"Name,ID,State,Created,Runtime,Hostname\ns,w,finished,2026-11-02T01:00:00.000Z,60,h\n", SourceExperiments,
	},
	"results.csv":  {"experiment,metric,value,threshold\ne,bleu,31.2,30\n", SourceExperiments},
	"results.json": {`{"results":[{"experiment":"e","metric":"bleu","value":31.2}]}`, SourceExperiments},
	"spend.csv":    {"request_id,startTime,prompt_tokens,user\na,2026-11-02 00:00:00,1,ann\n", SourceLLMUsage},
	"spend.json":   {`[{"request_id":"a","startTime":"2026-11-02T00:00:00Z","spend":0.1}]`, SourceLLMUsage},
	"preempt.json": {
		`{"protoPayload":{"methodName":"compute.instances.preempted"},"resource":{"labels":{"instance_id":"1"}},"timestamp":"2026-11-02T00:00:00Z"}`, SourceSpotEvents,
	},
	"azure.json": {
		`{"DocumentIncarnation":1,"Events":[{"EventId":"e","EventType":"Preempt","Resources":["vm"],"NotBefore":"Mon, 02 Nov 2026 00:00:00 GMT"}]}`, SourceSpotEvents,
	},
}

func TestFilesOfEachTelemetryFormatAreDetectedAndImported(t *testing.T) {
	for name, c := range happened {
		root := write(t, map[string]string{name: c.text})
		files, err := blob.Stores(nil).List(t.Context(), root)
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		if got, err := Detect(files[0]); err != nil || got.Source != c.source {
			t.Errorf("%s: %+v %v, want %s", name, got, err, c.source)
			continue
		}
		m := newMemory()
		im := &Importer{Store: m, Now: time.Now}
		sum, err := im.Import(t.Context(), Request{Source: SourceAuto, URIs: []string{root}})
		if err != nil || sum.State != ImportPublished || sum.Accepted != 1 || sum.Rejected != 0 || m.open != 0 {
			t.Errorf("%s: %v %+v", name, err, sum)
		}
	}
}

func TestCallsOfGatewaysAreTakenOnce(t *testing.T) {
	root := write(t, map[string]string{
		"a.csv": happened["spend.csv"].text, "b.csv": strings.ReplaceAll(happened["spend.csv"].text, "\na,", "\nb,"),
	})
	m := newMemory()
	im := &Importer{Store: m, Now: time.Now}
	req := Request{
		Source: SourceLLMUsage, URIs: []string{root}, UserKey: func() ([]byte, error) { return []byte("key"), nil },
	}
	for _, want := range []ImportState{ImportPublished, ImportUnchanged} {
		sum, err := im.Import(t.Context(), req)
		if err != nil || sum.State != want || sum.Accepted != 2 {
			t.Errorf("%v %+v", err, sum)
		}
	}
	for _, c := range m.llmCalls {
		if len(c.User) != 32 {
			t.Errorf("%+v", c)
		}
	}
	// A file that is cut off refuses all of them.
	root = write(t, map[string]string{
		"a.csv":  strings.ReplaceAll(happened["spend.csv"].text, "\na,", "\nc,"),
		"b.json": `[{"request_id":"d","startTime":"2026-11-02T00:00:00Z","spend":0.1},`,
	})
	sum, err := im.Import(t.Context(), Request{Source: SourceLLMUsage, URIs: []string{root}})
	if err == nil || sum.State != ImportRefused || len(m.llmCalls) != 2 ||
		!strings.Contains(err.Error(), "b.json line 1: broken json") {
		t.Errorf("%v %+v, %d calls", err, sum, len(m.llmCalls))
	}
}

func TestTimesWithoutAZoneAreThoseOfTheRequest(t *testing.T) {
	root := write(t, map[string]string{"jobs.txt": happened["jobs.txt"].text})
	m := newMemory()
	im := &Importer{Store: m, Now: func() time.Time { return time.Date(2026, 11, 1, 0, 30, 0, 0, time.UTC) }}
	// Two hours ahead of the clock and a day: refused in UTC, fine in the east.
	sum, err := im.Import(t.Context(), Request{
		Source: SourceSlurm, URIs: []string{root}, Zone: time.FixedZone("", 4*3600),
	})
	if err != nil || sum.Accepted != 1 {
		t.Errorf("%v %+v", err, sum)
	}
	if _, err := im.Import(t.Context(), Request{Source: SourceSlurm, URIs: []string{root}}); err == nil ||
		!strings.Contains(err.Error(), "time in the future") {
		t.Errorf("%v", err)
	}
}

// Run records of trackers and experiment results are one source with two kinds of files; the
// error of a file that was named itself refers to results.
func TestResultsAndRunRecordsOfOneFolder(t *testing.T) {
	root := write(t, map[string]string{
		"runs.json": happened["runs.json"].text, "results.csv": happened["results.csv"].text,
	})
	m := newMemory()
	im := &Importer{Store: m, Now: time.Now}
	for range 2 {
		sum, err := im.Import(t.Context(), Request{Source: SourceExperiments, URIs: []string{root}})
		if err != nil || sum.Accepted != 2 || len(m.results) != 1 {
			t.Errorf("%v %+v", err, sum)
		}
	}
	root = write(t, map[string]string{"results.csv": "experiment,metric,vlaue\ne,bleu,1\n"})
	_, err := im.Import(t.Context(), Request{Source: SourceExperiments, URIs: []string{root + "/results.csv"}})
	if err == nil || len(m.results) != 1 {
		t.Errorf("a misspelt column: %v", err)
	}
	for _, r := range m.imports {
		if r.State == ImportRefused &&
			(len(r.Rejections) != 1 || r.Rejections[0].Line != 1 || !strings.Contains(r.Rejections[0].Detail, "vlaue")) {
			t.Errorf("it says %+v", r.Rejections)
		}
	}
}

// A row's times determine its number of days and partitions: no run lasts more than ten years,
// in any source.
func TestTimesOfDecadesAreRejectedRows(t *testing.T) {
	for name, text := range map[string]string{
		"jobs.txt":      "JobID|State|Submit|Start|End|AllocTRES|NodeList\n7|COMPLETED|2001-11-02T00:00:00|2001-11-02T01:00:00|2026-11-02T02:00:00|gres/gpu=1|n1\n",
		"training.json": `{"TrainingJobName":"j","TrainingJobArn":"arn:aws:sagemaker:us-east-1:1:training-job/j","TrainingJobStatus":"Completed","CreationTime":1004700000,"TrainingEndTime":1793581200}`,
		"attempts.csv":  "run_id,started_at,ended_at,outcome,nodes\nr,2001-11-02T00:00:00Z,2026-11-02T00:00:00Z,failed,n1\n",
		"runs.json":     `{"runs":[{"info":{"run_id":"r","experiment_id":"1","status":"FINISHED","start_time":1004700000000,"end_time":1793581200000},"data":{"tags":[{"key":"pod_name","value":"p"}]}}]}`,
	} {
		m := newMemory()
		im := &Importer{Store: m, Now: time.Now}
		sum, err := im.Import(t.Context(), Request{
			Source: happened[name].source, URIs: []string{write(t, map[string]string{name: text})},
		})
		if sum.Accepted != 0 || sum.Rejected != 1 || err == nil || !strings.Contains(err.Error(), "impossible time") {
			t.Errorf("%s: %v %+v", name, err, sum)
		}
	}
}
