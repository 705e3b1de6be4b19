package runrecords

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
)

func parse(t testing.TB, text string, o Options) (*ledger.Telemetry, ledger.Reading, error) {
	t.Helper()
	all := &ledger.Telemetry{}
	read, err := Parse(t.Context(), strings.NewReader(text), "runs", o, func(b *ledger.Telemetry) error {
		all.Segments = append(all.Segments, b.Segments...)
		return nil
	})
	return all, read, err
}

func shown(t *ledger.Telemetry) []string {
	var out []string
	for _, s := range t.Segments {
		out = append(out, fmt.Sprintf("%s/%s/%s %s %s %s..%s %s,%s kind=%s group=%s %v", s.Cluster, s.Namespace, s.Pod, s.Run,
			s.Name, s.From, s.To, s.Outcome, s.Reason, s.Kind, s.Group, s.Labels))
	}
	return out
}

func TestRunsOfBothTrackers(t *testing.T) {
	const life = "2026-11-02T01:00:00Z..2026-11-02T02:00:00Z"
	for name, c := range map[string]struct {
		text, want string
	}{
		"mlflow search": {`{"runs":[{"info":{"run_id":"r1","run_name":"eager-cat","experiment_id":"7","status":"FINISHED","start_time":1793581200000,"end_time":1793584800000,"artifact_uri":"s3://x"},
			"data":{"params":[{"key":"model","value":"llama"}],"metrics":[{"key":"loss","value":0.1}],"tags":[{"key":"kubernetes.pod.name","value":"ns/train-0"},{"key":"team","value":"nlp"},{"key":"mlflow.parentRunId","value":"p"}]},
			"inputs":{"dataset_inputs":[{"dataset":{"name":"c4"}}]}}],"next_page_token":"x"}`,
			"c/ns/train-0 r1 eager-cat " + life + " succeeded, kind= group=p map[dataset:c4 experiment:7 model:llama team:nlp]"},
		"mlflow csv": {"run_id,experiment_id,status,artifact_uri,start_time,end_time,metrics.loss,params.model,tags.mlflow.runName,tags.SLURM_JOB_ID,tags.cluster\nr1,7,FAILED,s3://x,2026-11-02 01:00:00+00:00,2026-11-02 02:00:00.123000+00:00,0.1,llama,cat,4711,hpc\n",
			"hpc//4711 r1 cat " + life + " failed, kind= group= map[experiment:7 model:llama]"},
		"wandb json": {`[{"id":"w1","display_name":"sunny-1","state":"crashed","created_at":"2026-11-02T01:00:00Z","heartbeat_at":"2026-11-02T02:00:00Z","project":"gpt","entity":"org","group":"sweep-3","job_type":"training","config":{"dataset":{"value":"c4"},"_wandb":{"value":{"x":1}}},"metadata":{"host":"train-1"},"user":{"username":"ann"}}]`,
			"c//train-1 w1 sunny-1 " + life +
				" failed,crashed kind=training group=sweep-3 map[dataset:c4 project:gpt user:ann]"},
		"wandb csv": {"Name,ID,State,Notes,User,Tags,Created,Runtime,Sweep,Hostname\nsunny,w1,finished,,ann,,2026-11-02T01:00:00.000Z,3600.5,,h1\n",
			"c//h1 w1 sunny " + life + " succeeded, kind= group= map[user:ann]"},
		"wandb running": {`{"id":"w1","displayName":"s","state":"running","createdAt":"2026-11-02T01:00:00","heartbeatAt":"2026-11-02T02:00:00","project":"p","metadata":{"slurm":{"job_id":12}}}`,
			"c//12 w1 s 2026-11-02T01:00:00Z..1970-01-01T00:00:00Z running, kind= group= map[project:p]"},
	} {
		got, _, err := parse(t, c.text, Options{Cluster: "c"})
		if err != nil || !slices.Equal(shown(got), []string{c.want}) {
			t.Errorf("%s: %v\ngot  %q\nwant %q", name, err, shown(got), c.want)
		}
		if !Detect([]byte(c.text)) {
			t.Errorf("%s is not recognised", name)
		}
	}
}

func TestRecordsWithoutAWorkload(t *testing.T) {
	got, read, err := parse(t, `{"runs":[{"info":{"run_id":"r","experiment_id":"1","status":"FINISHED","start_time":1793581200000}},
	{"info":{"run_id":"","experiment_id":"1"}},{"info":{"run_id":"r","status":"ODD","start_time":1793581200000}},{"info":{"run_id":"r","start_time":"soon"}},
	{"info":{"run_id":"r","status":"FINISHED","start_time":1793581200000,"end_time":1793580000000}},{"info":{"run_id":"r","status":"FINISHED"}}, 7]}`, Options{})
	if err != nil || len(got.Segments) != 0 || read.IgnoredRows() != 1 || read.RejectedRows() != 6 || read.Rows != 7 {
		t.Errorf("%v %+v", err, read)
	}
	if _, _, err := parse(t, "a,b\n1,2\n", Options{}); err == nil || !strings.Contains(err.Error(), "missing column") {
		t.Error(err)
	}
	for _, text := range []string{"", "run_id,started_at\n", `{"run_id":"x","started_at":1}`, `{"state":"x"}`, "a,b\n"} {
		if Detect([]byte(text)) {
			t.Errorf("%q", text)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`{"runs":[{"info":{"run_id":"r","status":"FINISHED","start_time":1793581200000},"data":{"tags":[{"key":"pod_name","value":"a,b/c"}]}}]}`)
	f.Add("Name,ID,State,Created,Runtime,Hostname\nsunny,w1,finished,2026-11-02T01:00:00.000Z,3600.5,h1\n")
	f.Fuzz(func(t *testing.T, text string) {
		_, read, err := parse(t, text, Options{})
		if err != nil {
			if _, ok := errors.AsType[*ledger.FileError](err); !ok {
				t.Fatal(err)
			}
			return
		}
		if read.Rows != read.Accepted+read.IgnoredRows()+read.RejectedRows() {
			t.Fatalf("%+v", read)
		}
	})
}
