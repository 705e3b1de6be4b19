package ingest

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Files of no source: empty ones, other forms of JSON, other documents, and files of other
// sources.
var wrongThings = []string{
	"", "\n", " \r\n\t", "\ufeff", "[]", "{}", "null", "[[]]", `{"items":[]}`, `[{"foo":1}]`,
	`{"a":{"b":[1]}}`, "hello world\n", "a,b\n1,2\n", "foo_bar 1\n", "# EOF\n",
	"<html><body>404</body></html>\n", `{"message":"not authorised"}`, `{"data":{"resultType":"matrix","result":[]}}`,
	`{"resourceMetrics":[]}`, `{"kind":"List","apiVersion":"v1","items":[]}`,
	`{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"x","creationTimestamp":"2026-11-02T00:00:00Z"}}`,
	"kind: ConfigMap\napiVersion: v1\nmetadata: {name: x, creationTimestamp: 2026-11-02T00:00:00Z}\n",
	`{"TrainingJobSummaries":[]}`, `{"attempts":[]}`, `{"results":[]}`, `{"runs":[]}`, `{"jobs":[]}`, `{"Records":[]}`,
	"JobID|State\n", "run_id,started_at\n", "experiment,metric,value\n",
	"request_id,startTime\n", "Name,ID,State,Created,Runtime,Hostname\n",
}

func TestFilesWithoutAnyRowAreRefused(t *testing.T) {
	for source := range lookedFor {
		said := false
		for _, text := range wrongThings {
			m := newMemory()
			im := &Importer{Store: m, Now: time.Now}
			root := write(t, map[string]string{"x.txt": text})
			sum, err := im.Import(t.Context(), Request{Source: source, URIs: []string{filepath.Join(root, "x.txt")}})
			if err == nil || sum.State != ImportRefused || sum.Accepted != 0 || m.open != 0 {
				t.Errorf("%s of %q: %v %+v", source, text, err, sum)
				continue
			}
			if !strings.Contains(err.Error(), "x.txt") || strings.Contains(err.Error(), "the others were published") {
				t.Errorf("%s of %q: %v", source, text, err)
			}
			said = said || strings.Contains(err.Error(), "looked for "+lookedFor[source])
		}
		if !said {
			t.Errorf("%s never says what it looked for", source)
		}
	}
}

// The state on a first row is checked like that on any other.
func TestUnknownStatesAreRefused(t *testing.T) {
	for source, text := range map[string]string{
		SourceSlurm:    "JobID|State|Start|AllocTRES\n7|ODD|2026-11-02T01:00:00|gres/gpu=1\n",
		SourceAttempts: "run_id,started_at,outcome\nr,2026-11-02T00:00:00Z,odd\n",
		SourceExperiments: `{"runs":[{"info":{"run_id":"r","experiment_id":"1","status":"ODD","start_time":1793581200000},` +
			`"data":{"tags":[{"key":"pod_name","value":"p"}]}}]}`,
		SourceSageMaker: `{"ProcessingJobName":"j","ProcessingJobArn":"arn:aws:sagemaker:us-east-1:1:processing-job/j","ProcessingJobStatus":"Odd","CreationTime":1793581200}`,
	} {
		root := write(t, map[string]string{"x.txt": text})
		sum, err := (&Importer{Store: newMemory(), Now: time.Now}).Import(t.Context(), Request{
			Source: source, URIs: []string{filepath.Join(root, "x.txt")},
		})
		if err == nil || sum.State != ImportRefused || sum.Rejected != 1 ||
			!strings.Contains(strings.ToLower(err.Error()), `"odd"`) {
			t.Errorf("%s: %v %+v", source, err, sum)
		}
	}
}

// A folder may contain an empty file next to others: the others count.
func TestAnEmptyFileNextToOthersRefusesNothing(t *testing.T) {
	root := write(t, map[string]string{"a.csv": happened["attempts.csv"].text, "b.csv": "run_id,started_at\n"})
	sum := mustImport(t, newMemory(), Request{Source: SourceAttempts, URIs: []string{root}})
	if sum.State != ImportPublished || sum.Accepted != 1 || sum.Files != 2 {
		t.Errorf("%+v", sum)
	}
}

// A child table alone is refused, since "unchanged" would suggest that it was read.
func TestAChildTableAloneIsRefused(t *testing.T) {
	for _, source := range []string{SourceAuto, SourceGCPBilling} {
		m := newMemory()
		root := write(t, map[string]string{
			"exp__credits.csv": "name,amount,type,_dlt_parent_id,_dlt_list_idx,_dlt_id\na,-1,DISCOUNT,r1,0,c1\n",
		})
		sum, err := (&Importer{Store: m, Now: time.Now}).Import(t.Context(), Request{Source: source, URIs: []string{root}})
		if err == nil || sum.State != ImportRefused ||
			!strings.Contains(err.Error(), "exp__credits.csv line 1, column _dlt_parent_id: child table without its table") {
			t.Errorf("%s: %s, %v", source, sum.State, err)
		}
	}
}

// An import without a file of its source names the files seen and the expected content.
func TestNothingToImportNamesFilesSeenAndExpected(t *testing.T) {
	files := map[string]string{
		"a.html": "<html>", "b/jobs.txt": "JobID|State|Submit|Start|End\n1|RUNNING|x|x|x\n", "c.txt": "",
	}
	root, empty := write(t, files), write(t, map[string]string{".hidden": "x"})
	for _, source := range Sources {
		if source == SourcePrometheus || source == SourceSlurm {
			continue
		}
		if expected(source) == "" {
			t.Errorf("%s does not say what it expects", source)
		}
		if source == SourceAuto { // it finds jobs
			continue
		}
		_, err := importer(newMemory()).Import(t.Context(), Request{Source: source, URIs: []string{root}})
		if source == SourceOpenMetrics { // it takes an empty .txt, by its name
			continue
		}
		for _, want := range []string{
			"nothing to import", "none of the 3 files", "a.html seems to be a web page",
			"b/jobs.txt seems to be slurm", "c.txt seems to be empty", "expected " + expected(source),
		} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v\nwithout %q", source, err, want)
			}
		}
	}
	if _, err := importer(newMemory()).Import(t.Context(), Request{
		Source: SourceAuto, URIs: []string{empty},
	}); err == nil || !strings.Contains(err.Error(), "there is no file under "+empty) ||
		!strings.Contains(err.Error(), "slurm") {
		t.Errorf("an empty folder: %v", err)
	}
	_, err := importer(newMemory()).Import(t.Context(), Request{
		Source: SourceSlurm, URIs: []string{filepath.Join(write(t, map[string]string{"x.json": `{"jobs":[]}`}), "x.json")},
	})
	if err == nil || !strings.Contains(err.Error(), "it seems to be JSON of another kind; looked for") {
		t.Errorf("an empty list: %v", err)
	}
}
