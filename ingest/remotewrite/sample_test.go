package remotewrite

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"gpuledger/ingest/series"
)

// sample reads a public sample from outside the repository.
func sample(t *testing.T, name string) []byte {
	t.Helper()
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		if root == filepath.Dir(root) {
			t.Skip("skipped: no go.mod above this folder")
		}
		root = filepath.Dir(root)
	}
	text, err := os.ReadFile(filepath.Join(root, "..", "shared", "reference", "samples", "telemetry", name))
	if err != nil {
		t.Skip("skipped: the public samples are not beside the repository: ", err)
	}
	return text
}

// A test fixture of another receiver: read as it is, with its seconds in the
// field of milliseconds, which the live receiver refuses.
func TestTelegrafSample(t *testing.T) {
	var in struct {
		TimeSeries []struct {
			Labels []struct {
				Name  string
				Value string
			}
			Samples []struct {
				Value     float64
				Timestamp int64
			}
		}
	}
	if err := json.Unmarshal(sample(t, "prometheus/telegraf-remote-write-simple-input.json"), &in); err != nil {
		t.Fatal(err)
	}
	for _, v := range []Version{V1, V2} {
		e := NewEncoder(v)
		for _, s := range in.TimeSeries {
			name, ls := "", series.Labels{}
			for _, l := range s.Labels {
				if l.Name == metricName {
					name = l.Value
				} else {
					ls = append(ls, series.Label{Name: l.Name, Value: l.Value})
				}
			}
			for _, x := range s.Samples {
				e.Series(name, ls, Sample{x.Timestamp, x.Value})
			}
		}
		got, totals := walk(t, v, e.Message())
		if len(got) != 2 || totals.Samples != 2 || got[0].Name != "go_gc_duration_seconds" ||
			got[0].Labels.Get("quantile") != "0.99" ||
			got[0].Samples[0] != (Sample{1740375855, 4.63}) || got[1].Samples[0].Value != 14.99 ||
			got[1].Labels.Get("job") != "prometheus" {
			t.Errorf("%v: %v", v, got)
		}
	}
}
