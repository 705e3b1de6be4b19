package experiments

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

func parse(t testing.TB, text string) ([]ledger.ExperimentResult, ledger.Reading, error) {
	t.Helper()
	var out []ledger.ExperimentResult
	read, err := Parse(t.Context(), strings.NewReader(text), "results.csv", Options{},
		func(e *ledger.ExperimentResult) error {
			out = append(out, *e)
			return nil
		})
	return out, read, err
}

func show(e *ledger.ExperimentResult) string {
	optional := func(n *money.Amount) string {
		if n == nil {
			return "-"
		}
		return n.String()
	}
	return fmt.Sprint(e.Experiment, "|", e.Run, "|", e.Metric, "|", e.Value, "|", optional(e.Baseline), "|",
		optional(e.Threshold), "|", e.Lower, "|", int64(e.At))
}

func TestResultsInAllForms(t *testing.T) {
	const want = "exp-1|run-7|bleu|31.25|30|31|false|1793581200"
	for name, text := range map[string]string{
		"csv": "experiment,run,metric,value,baseline,threshold,direction,at\nexp-1,run-7,bleu,31.25,30,31,higher,2026-11-02T01:00:00Z\n",
		"another order": "At,Value,Metric,Experiment,Run,Threshold,Baseline\r\n1793581200,3.125e1,bleu, exp-1 " +
			",run-7,31,30\r\n",
		"a list": `[{"experiment":"exp-1","run":"run-7","metric":"bleu","value":31.25,"baseline":30,"threshold":"31","direction":"Higher","at":"2026-11-02 01:00:00"}]`,
		"lines":  `{"experiment":"exp-1","run":"run-7","metric":"bleu","value":31.25,"baseline":30,"threshold":31,"direction":null,"at":1793581200}` + "\n",
		"inside": `{"results":[{"experiment":"exp-1","run":"run-7","metric":"bleu","value":31.25,"baseline":30,"threshold":31,"at":"2026-11-02T01:00:00Z"}]}`,
	} {
		got, read, err := parse(t, text)
		if err != nil || len(got) != 1 || read.Accepted != 1 || read.RejectedRows() != 0 {
			t.Errorf("%s: %v %v %+v", name, got, err, read)
			continue
		}
		if show(&got[0]) != want {
			t.Errorf("%s\ngot  %s\nwant %s", name, show(&got[0]), want)
		}
		if !Detect([]byte(text)) || !Looks([]byte(text)) {
			t.Errorf("%s is not recognised", name)
		}
	}
	few, _, err := parse(t, "experiment,metric,value,direction\ne,loss,-0.5,lower\n")
	if err != nil || len(few) != 1 || show(&few[0]) != "e||loss|-0.5|-|-|true|0" {
		t.Errorf("%v %v", few, err)
	}
}

// The version of the model, the dataset and its size are read in all forms and spellings. Results of two versions or on
// two datasets are two results.
func TestModelAndDatasetOfAResult(t *testing.T) {
	const want = "e m 1 v7 wmt 4500000.5 tokens"
	for name, text := range map[string]string{
		"csv": "experiment,metric,value,model_version,dataset,dataset_size,dataset_unit\n" +
			"e,m,1,v7,wmt,4500000.5,tokens\n",
		"other writing": "Experiment,Metric,Value,ModelVersion,DATASET,Dataset Size,dataset-unit\n" +
			"e,m,1,v7,wmt,4.5000005e6,tokens\n",
		"json": `[{"experiment":"e","metric":"m","value":1,"model_version":"v7","dataset":"wmt",` +
			`"dataset_size":4500000.5,"dataset_unit":"tokens"}]`,
	} {
		got, read, err := parse(t, text)
		if err != nil || len(got) != 1 {
			t.Fatalf("%s: %v %+v", name, err, read)
		}
		r := got[0]
		if is := fmt.Sprintf("%s %s %s %s %s %s %s", r.Experiment, r.Metric, r.Value, r.ModelVersion, r.Dataset,
			r.DatasetSize, r.DatasetUnit); is != want {
			t.Errorf("%s: %s", name, is)
		}
		if !Detect([]byte(text)) {
			t.Errorf("%s is not recognised", name)
		}
	}
	got, read, err := parse(t, "experiment,metric,value,model_version,dataset,dataset_size,dataset_unit\n"+
		"e,m,1,,,,\ne,m,1,v7,,,\ne,m,1,,v7,,\ne,m,1,v7,wmt,,\ne,m,1,v8,wmt,0,\n"+
		"e,m,1,v8,wmt,1,\ne,m,1,,,7,\ne,m,1,,a,-1,\ne,m,1,,a,many,\ne,m,1,,a,,tokens\n")
	ids := map[ledger.ID]bool{}
	for i := range got {
		ids[got[i].ID] = true
	}
	if plain, _, _ := parse(t, "experiment,metric,value\ne,m,1\n"); err != nil || len(ids) != 5 || !ids[plain[0].ID] {
		t.Errorf("%d different results: %v", len(ids), err)
	}
	var wrong []string
	for _, r := range read.First {
		wrong = append(wrong, fmt.Sprintf("%d %s %s", r.Line, r.Column, r.Reason))
	}
	if want := []string{"7 value contradicts an earlier row", "8 dataset missing value", "9 dataset_size below zero",
		"10 dataset_size not a number", "11 dataset_size missing value"}; !slices.Equal(wrong, want) {
		t.Errorf("%q", wrong)
	}
}

// A row is the same result in any file: ids do not depend on the measured value.
func TestAResultHasOneID(t *testing.T) {
	a, _, _ := parse(t, "experiment,metric,value\ne,m,1\ne,n,1\nf,m,1\n")
	b, _, _ := parse(t, `[{"value":2,"metric":"m","experiment":"e"}]`)
	if a[0].ID != b[0].ID || a[0].ID == a[1].ID || a[0].ID == a[2].ID {
		t.Error("ids are of experiment, run, metric and time")
	}
}

// A time without a zone gives the same result in whatever zone it is read, and so does a file
// with times in UTC.
func TestAResultHasOneIDInAllZones(t *testing.T) {
	ids, times := map[ledger.ID]bool{}, map[period.Second]bool{}
	for text, zone := range map[string]*time.Location{
		"2026-11-02 09:00:00": nil, "2026-11-02T09:00:00": time.FixedZone("", 3600),
		"2026-11-02T09:00:00Z": time.FixedZone("", 7200),
	} {
		_, err := Parse(t.Context(), strings.NewReader("experiment,metric,value,at\ne,m,1,"+text+"\n"), "r.csv",
			Options{Zone: zone}, func(e *ledger.ExperimentResult) error {
				ids[e.ID], times[e.At] = true, true
				return nil
			})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(ids) != 1 || len(times) != 2 {
		t.Errorf("%d ids at %d times", len(ids), len(times))
	}
}

func TestRejectionsNameTheirPlace(t *testing.T) {
	_, read, err := parse(t, "experiment,metric,value,baseline,direction,at\n"+
		",m,1,,,\ne,,1,,,\ne,m,,,,\ne,m,87%,,,\ne,m,NaN,,,\ne,m,1,x,,\ne,m,1,,up,\ne,m,1,,,soon\ne,m,1,,,\ne,m,2,,,\ne,m\ne,m,1,,,\n")
	var got []string
	for _, r := range read.First {
		got = append(got, fmt.Sprintf("%d %s %s", r.Line, r.Column, r.Reason))
	}
	want := []string{"2 experiment missing value", "3 metric missing value", "4 value missing value",
		"5 value not a number", "6 value not a number", "7 baseline not a number",
		"8 direction not a direction", "9 at not a time", "11 value contradicts an earlier row", "12  wrong number of fields"}
	if err != nil || !slices.Equal(got, want) || read.Accepted != 2 {
		t.Errorf("%v %d accepted\ngot  %q\nwant %q", err, read.Accepted, got, want)
	}
	for text, says := range map[string]string{
		"experiment,metric\ne,m\n":                       "value is missing",
		"experiment,metric,value,treshold\ne,m,1,2\n":    `"treshold" is unknown`,
		"experiment,metric,value,Value\ne,m,1,2\n":       "value appears twice",
		"run_id,experiment_id,status\nr,1,FINISHED\n":    `"run_id" is unknown`,
		`[{"experiment":"e","metric":"m","value":1},`:    "",
		"experiment,metric,value\n\"e,m,1\n":             "",
		`{"results":[{"experiment":"e","metric":"m"},{`:  "",
		"experiment;metric;value\ne;m;1\n":               "is unknown",
		"experiment,metric,value\ne,m,1\n\"unterminated": "",
	} {
		_, _, err := parse(t, text)
		if _, ok := errors.AsType[*ledger.FileError](err); !ok || !strings.Contains(fmt.Sprint(err), says) {
			t.Errorf("%q: %v; want %s", text, err, says)
		}
	}
	_, read, err = parse(t, `[{"experiment":"e","metric":"m","value":1,"treshold":2}]`)
	if err != nil || read.RejectedRows() != 1 || !strings.Contains(read.First[0].Detail, "treshold") {
		t.Errorf("a misspelt field of JSON: %v %+v", err, read)
	}
}

func TestOtherFilesAreNotResults(t *testing.T) {
	for _, text := range []string{
		"", "\n", "a,b\n", "experiment,metric\n", "experiment,metric,value,epoch\n",
		"run_id,experiment_id,status,metrics.loss\n",
		`{"runs":[{"info":{"run_id":"r","experiment_id":"1"},"data":{"metrics":[{"key":"loss","value":1}]}}]}`,
		`{"experiment":"e"}`,
	} {
		if Detect([]byte(text)) {
			t.Errorf("%q is taken for results", text)
		}
	}
	if !Looks([]byte("experiment,metric\n")) || Looks([]byte("run_id,experiment_id,status\n")) {
		t.Error("what means to be results")
	}
}

func FuzzParse(f *testing.F) {
	f.Add("experiment,metric,value\ne,m,1\n")
	f.Add(`[{"experiment":"e","metric":"m","value":1e3,"at":1793581200}]`)
	f.Add("experiment,run,metric,value,baseline,threshold,direction,at\ne,r,m,1,2,3,lower,2026-11-02T01:00:00Z\n")
	f.Fuzz(func(t *testing.T, text string) {
		results, read, err := parse(t, text)
		if err != nil {
			if _, ok := errors.AsType[*ledger.FileError](err); !ok {
				t.Fatal(err)
			}
			return
		}
		if read.Rows != read.Accepted+read.RejectedRows() || int64(len(results)) != read.Accepted {
			t.Fatalf("%+v", read)
		}
		// The parsed results, written and read again, are the same.
		for i := range results {
			e := &results[i]
			if e.Experiment == "" || e.Metric == "" || e.ID.IsZero() || strings.ContainsAny(e.Experiment, "\n\x00") {
				t.Fatalf("%+v", e)
			}
			again, _, err := parse(t,
				fmt.Sprintf(`[{"experiment":%q,"run":%q,"metric":%q,"value":"%s"}]`, "x", "", "m", e.Value))
			if err != nil || len(again) != 1 || again[0].Value.Cmp(e.Value) != 0 {
				t.Fatalf("%s came back as %v: %v", e.Value, again, err)
			}
		}
	})
}
