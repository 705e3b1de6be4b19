package promquery

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"gpuledger/ingest/series"
)

// flat collects a matrix as text.
type flat struct {
	out   []string
	name  string
	hists int
}

func (f *flat) begin(raw []byte) error {
	name, ls, err := readMetric(raw, func(_, label string) bool { return label == "prometheus_replica" })
	f.name = name
	for _, l := range ls {
		f.name += "|" + l.Name + "=" + l.Value
	}
	return err
}

func (f *flat) sample(ms int64, v series.Decimal, ok bool) {
	f.out = append(f.out, f.name+" "+strconv.FormatInt(ms,
		10)+" "+strconv.FormatBool(ok)+" "+strconv.FormatBool(v.IsZero()))
}

func (f *flat) histograms(n int) { f.hists += n }

func TestAnswers(t *testing.T) {
	for name, c := range map[string]struct{ body, want, err string }{
		"plain": {
			`{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"up","a":"b\"c\u00e9","prometheus_replica":"0","empty":""},"values":[[1700000000.123,"0"],[1700000060,"-1.5e3"]]}]}}`, "up|a=b\"cé 1700000000123 true true;up|a=b\"cé 1700000060000 true false", "",
		},
		"nothing": {`{"status":"success","data":{"resultType":"matrix","result":[]}}`, "", ""},
		"null":    {`{"status":"success","data":{"resultType":"matrix","result":null}}`, "", ""},
		"order": {
			`{"data":{"result":[{"values":[[1,"1"]],"metric":{"__name__":"x"}}],"resultType":"matrix"},"status":"success"}`,
			"x 1000 true false", "",
		},
		"specials": {
			`{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"x"},"values":[[1,"NaN"],[2,"+Inf"],[3,"-Inf"],[4,"pear"],[1700000000000,"1"]]}]}}`, "x 1000 true false;x 2000 true false;x 3000 true false;x 4000 false true;x 1700000000000 false false", "",
		},
		"histogram": {
			`{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"x"},"histograms":[[1,{"count":"1","buckets":[[0,"1","2","3"]]}]],"values":[]}]}}`, "", "",
		},
		"vector": {`{"status":"success","data":{"resultType":"vector","result":[]}}`, "", "vector"},
		"warned": {
			`{"status":"success","data":{"resultType":"matrix","result":[]},"warnings":["store a is away"]}`,
			"", "partial: store a is away",
		},
		"info": {
			`{"status":"success","data":{"resultType":"matrix","result":[]},"infos":["PromQL info: metric might not be a counter"]}`, "", "",
		},
		"limited": {
			`{"status":"success","data":{"resultType":"matrix","result":[]},"infos":["results truncated"]}`,
			"", "partial: results truncated",
		},
		"vmpartial": {
			`{"status":"success","isPartial":true,"data":{"resultType":"matrix","result":[]}}`, "", "partial: the server marked",
		},
		"failed": {`{"status":"error","errorType":"execution","error":"no"}`, "", "failed: no"},
		"html":   {`<html>`, "", "JSON"},
		"cut": {
			`{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"x"},"values":[[1,"1"`,
			"", "JSON",
		},
		"more": {`{"status":"success","data":{"resultType":"matrix","result":[]}} {}`, "", "JSON"},
		"no metric": {
			`{"status":"success","data":{"resultType":"matrix","result":[{"values":[[1,"1"]]}]}}`, "", "without its metric",
		},
		"deep": {`{"status":"success","x":` + strings.Repeat("[", 100_000), "", "nested"},
	} {
		f := &flat{}
		a, err := readAnswer([]byte(c.body))
		got := ""
		switch {
		case err != nil:
			got = err.Error()
		case a.message != "":
			got = "failed: " + a.message
		case a.partial != "":
			got = "partial: " + a.partial
		default:
			if err := readMatrix(a.data, f); err != nil {
				got = err.Error()
			}
		}
		if c.err == "" && got != "" || !strings.Contains(got, c.err) {
			t.Errorf("%s: %q, want %q", name, got, c.err)
		}
		if all := strings.Join(f.out, ";"); c.err == "" && all != c.want {
			t.Errorf("%s: %s", name, all)
		}
		if name == "histogram" && f.hists != 1 {
			t.Error("the native histogram was not counted")
		}
	}
}

// FuzzMatrix holds the reader against encoding/json: what that reads as a
// matrix gives the same samples, and nothing panics.
func FuzzMatrix(f *testing.F) {
	f.Add([]byte(`{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"up","a":"b"},"values":[[1700000000.123,"0"],[1700000060,"-1.5e3"]]}]},"warnings":["x"]}`))
	f.Add([]byte(`{"status":"error","errorType":"bad_data","error":"\u00e9"}`))
	f.Add([]byte(`{"data":{"result":[{"histograms":[[1,{"count":"1"}]],"metric":{}}],"resultType":"matrix"},"status":"success","isPartial":true,"infos":null}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		var want struct {
			Status string
			Data   *struct {
				ResultType string
				Result     []struct {
					Metric map[string]string
					Values [][2]any
				}
			}
		}
		sound := json.Unmarshal(body, &want) == nil && want.Data != nil && want.Data.ResultType == "matrix"
		a, err := readAnswer(body)
		if err != nil || a.data == nil {
			return
		}
		got := &flat{}
		if err := readMatrix(a.data, got); err != nil || !sound {
			return
		}
		n := 0
		for _, s := range want.Data.Result {
			for _, v := range s.Values {
				if _, isText := v[1].(string); isText {
					n++
				}
				if at, ok := v[0].(float64); ok && math.Abs(at) > 1e300 {
					return
				}
			}
		}
		if strings.Count(string(body), `"result"`) == 1 && strings.Count(string(body), `"values"`) == len(want.Data.Result) &&
			n != len(got.out) {
			t.Errorf("%d samples, encoding/json finds %d", len(got.out), n)
		}
	})
}
