package sagemaker

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
	read, err := Parse(t.Context(), strings.NewReader(text), "job.json", o, func(b *ledger.Telemetry) error {
		all.Workloads, all.Objects = append(all.Workloads, b.Workloads...), append(all.Objects, b.Objects...)
		return nil
	})
	return all, read, err
}

// The published examples hold no managed spot job with interruptions: these are
// made by hand after the reference of the API.
const arn = "arn:aws:sagemaker:us-east-1:123456789012:training-job/llm-1"

func described(status, second, more string, steps ...string) string {
	return fmt.Sprintf(`{"TrainingJobName":"llm-1","TrainingJobArn":%q,"TrainingJobStatus":%q,"SecondaryStatus":%q,"CreationTime":"2026-11-02T00:00:00+00:00","TrainingStartTime":"2026-11-02T00:05:00Z",
	 "ResourceConfig":{"InstanceType":"ml.p4d.24xlarge","InstanceCount":2},"SecondaryStatusTransitions":[%s]%s}`, arn, status, second, strings.Join(steps, ","), more)
}

func step1(status, from, to string) string {
	return fmt.Sprintf(`{"Status":%q,"StartTime":"2026-11-02T%s:00Z","EndTime":"2026-11-02T%s:00Z","StatusMessage":"x"}`,
		status, from, to)
}

func shown(t *ledger.Telemetry) []string {
	var out []string
	for _, w := range t.Workloads {
		clock := func(s string) string { return strings.TrimSuffix(strings.TrimPrefix(s, "2026-11-02T"), ":00Z") }
		out = append(out, fmt.Sprintf("%s #%s %s %s..%s %s,%s gpus=%d", strings.TrimPrefix(w.UID, arn),
			w.Labels[ledger.LabelAttempt], clock(w.Created.String()), clock(w.Started.String()),
			clock(w.Completed.String()), w.Outcome, w.Reason, w.Requests[ledger.ResourceGPU]))
	}
	return out
}

func TestInterruptionsAreAttempts(t *testing.T) {
	spot := `,"EnableManagedSpotTraining":true,"TrainingEndTime":"2026-11-02T05:00:00Z","TrainingTimeInSeconds":17700,"BillableTimeInSeconds":10000,"WarmPoolStatus":{"Status":"Terminated","ResourceRetainedBillableTimeInSeconds":60}`
	steps := []string{
		step1("Starting", "00:00", "00:05"), step1("Downloading", "00:05", "00:10"),
		step1("Training", "00:10", "01:00"), step1("Interrupted", "01:00", "02:00"),
		step1("Starting", "02:00", "02:10"), step1("Interrupted", "02:10", "02:30"),
		step1("Starting", "02:30", "03:00"), step1("Downloading", "03:00", "03:05"),
		step1("Training", "03:05", "04:50"), step1("Uploading", "04:50", "05:00"), step1("Completed", "05:00", "05:00"),
	}
	slices.Reverse(steps) // their order is undefined
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"managed spot": {
			described("Completed", "Completed", spot, steps...),
			[]string{
				" #1 00:00 00:05..01:00 preempted,spot_interruption gpus=16", "#2 #2 01:00 03:00..05:00 succeeded, gpus=16",
			},
		},
		"interrupted": {
			described("InProgress", "Interrupted", "", step1("Training", "00:10", "01:00"),
				step1("Interrupted", "01:00", "02:00")), []string{
				" #1 00:00 00:05..01:00 preempted,spot_interruption gpus=16",
				"#2 #2 01:00 1970-01-01T00:00..1970-01-01T00:00 running, gpus=16",
			},
		},
		"no capacity": {
			described("Stopped", "MaxWaitTimeExceeded", `,"TrainingEndTime":"2026-11-02T04:00:00Z"`,
				step1("Training", "00:10", "01:00"), step1("Interrupted", "01:00", "04:00")),
			[]string{
				" #1 00:00 00:05..01:00 preempted,spot_interruption gpus=16",
				"#2 #2 01:00 1970-01-01T00:00..04:00 timeout,MaxWaitTimeExceeded gpus=16",
			},
		},
		"retried": {
			described("Completed", "Completed", `,"TrainingEndTime":"2026-11-02T05:00:00Z"`, step1("Training", "00:10", "01:00"),
				step1("Restarting", "01:00", "01:10"), step1("Training", "01:20", "05:00")),
			[]string{" #1 00:00 00:05..01:00 node_failure,restarting gpus=16", "#2 #2 01:00 01:20..05:00 succeeded, gpus=16"},
		},
		"failed": {
			described("Failed", "Failed", `,"TrainingEndTime":1793595600.5,"FailureReason":"AlgorithmError: exit code 1"`),
			[]string{" #1 00:00 00:05..05:00 failed,AlgorithmError: exit code 1 gpus=16"},
		},
		"stopped": {
			described("Stopped", "Stopped", `,"TrainingEndTime":"2026-11-02T05:00:00Z"`),
			[]string{" #1 00:00 00:05..05:00 cancelled,stopped gpus=16"},
		},
		"search": {
			`{"Results":[{"TrainingJob":` + described("Completed", "Completed", `,"TrainingEndTime":"2026-11-02T05:00:00Z"`) +
				`},{"Trial":{}}]}`, []string{" #1 00:00 00:05..05:00 succeeded, gpus=16"},
		},
		"event": {
			`{"detail-type":"SageMaker Training Job State Change","detail":` +
				described("Completed", "Completed", `,"TrainingEndTime":1793595600000`) + `}`,
			[]string{" #1 00:00 00:05..05:00 succeeded, gpus=16"},
		},
	} {
		got, _, err := parse(t, c.text, Options{})
		if err != nil || !slices.Equal(shown(got), c.want) || !Detect([]byte(c.text)) {
			t.Errorf("%s: %v\ngot  %q\nwant %q", name, err, shown(got), c.want)
		}
	}
	got, _, _ := parse(t, described("Completed", "Completed", spot, steps...), Options{})
	if w, o := got.Workloads[0],
		got.Objects[0]; w.Node != "" || w.Cluster != "sagemaker/us-east-1" || w.Namespace != "123456789012" ||
		w.Labels[ledger.LabelPricing] != "spot" ||
		o.Attrs["billable_instance_seconds"] != "20000" || o.Attrs["warm_pool_seconds"] != "60" ||
		o.Attrs["training_seconds"] != "17700" || o.Kind != ledger.KindSageMakerJob {
		t.Errorf("%+v %+v", w, o)
	}
}

func TestLabelsAndKinds(t *testing.T) {
	text := described("Completed", "Completed",
		`,"Tags":[{"Key":"team","Value":"nlp"}],"Environment":{"WANDB_RUN_ID":"w1","API_TOKEN":"hidden"},"HyperParameters":{"lr":"1e-4","mlflow_experiment_name":"\"exp\""},"ExperimentConfig":{"ExperimentName":"e2"}`)
	got, _, err := parse(t, text, Options{Cluster: "c"})
	if err != nil {
		t.Fatal(err)
	}
	w := got.Workloads[0]
	if w.Cluster != "c" || w.Labels["team"] != "nlp" || w.Labels[ledger.LabelRunID] != "w1" ||
		w.Labels["experiment"] != "exp" || w.Labels["instance-type"] != "ml.p4d.24xlarge" {
		t.Errorf("%v", w.Labels)
	}
	for _, secret := range []string{"hidden", "1e-4"} {
		if strings.Contains(fmt.Sprint(w.Labels), secret) {
			t.Errorf("%s was kept: %v", secret, w.Labels)
		}
	}
	got, read, err := parse(t, `{"ProcessingJobArn":"arn:aws:sagemaker:eu-west-1:1:processing-job/p","ProcessingJobName":"p","ProcessingJobStatus":"Completed","CreationTime":1793577600,"ProcessingStartTime":1793577660.123,"ProcessingEndTime":1.79358E9,
	 "ProcessingResources":{"ClusterConfig":{"InstanceCount":3,"InstanceType":"ml.g5.12xlarge"}}}
	{"TransformJobArn":"arn:aws:sagemaker:eu-west-1:1:transform-job/t","TransformJobName":"t","TransformJobStatus":"InProgress","CreationTime":1793577600,"TransformResources":{"InstanceCount":1,"InstanceType":"ml.m5.large"}}
	{"TrainingJobSummaries":[{"TrainingJobArn":"arn:aws:sagemaker:eu-west-1:1:training-job/s","TrainingJobName":"s","TrainingJobStatus":"Failed","CreationTime":1793577600,"TrainingEndTime":1793580000}],"NextToken":"x"}`, Options{})
	if err != nil || read.Accepted != 3 || got.Workloads[0].Requests[ledger.ResourceGPU] != 12 ||
		got.Workloads[0].Completed != 1793580000 || got.Workloads[0].Labels[ledger.LabelKind] != "batch" ||
		got.Workloads[1].Requests != nil {
		t.Errorf("%v %+v %+v", err, read, got.Workloads)
	}
}

func TestRejections(t *testing.T) {
	_, read, err := parse(t, `{"TrainingJobArn":"x","CreationTime":1}`+"\n"+`{"TrainingJobArn":"`+arn+`"}`+"\n"+`{"TrainingJobArn":"`+arn+`","CreationTime":"soon"}`+"\n7\n{}", Options{})
	if err != nil || read.RejectedRows() != 4 || read.IgnoredRows() != 1 || read.First[2].Line != 3 ||
		read.First[2].Column != "CreationTime" {
		t.Errorf("%v %+v", err, read)
	}
}

func TestUnknownCreationStaysUnknown(t *testing.T) {
	got, read, err := parse(t,
		`{"TrainingJobArn":"`+arn+`","TrainingJobStatus":"InProgress","TrainingStartTime":"2026-11-02T00:05:00Z"}`, Options{})
	if err != nil || read.Accepted != 1 || got.Workloads[0].Created != 0 ||
		got.Workloads[0].FirstSeen != got.Workloads[0].Started || got.Workloads[0].Started == 0 {
		t.Errorf("%v %+v %+v", err, read, got.Workloads)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(described("Completed", "Completed", "", step1("Training", "00:10", "01:00"),
		step1("Interrupted", "01:00", "02:00")))
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
