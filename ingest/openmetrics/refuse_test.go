package openmetrics

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"gpuledger/ingest/series"
	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
)

const oneSample = `DCGM_FI_DEV_GPU_UTIL{UUID="GPU-a",Hostname="n"} 5 1790000040`

func TestFilesRefused(t *testing.T) {
	broken := errors.New("unexpected end of compressed data")
	stop := errors.New("disk full")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		r    io.Reader
		emit func(*ledger.Telemetry) error
		want error
	}{
		"no EOF":            {r: strings.NewReader(oneSample + "\n"), want: ErrTruncated},
		"cut inside a line": {r: strings.NewReader(oneSample + "\n" + oneSample[:55]), want: ErrTruncated},
		"more after EOF":    {r: strings.NewReader(oneSample + "\n# EOF\n" + oneSample + "\n"), want: ErrTruncated},
		"truncated gzip":    {r: io.MultiReader(strings.NewReader(oneSample+"\n"), iotest.ErrReader(broken)), want: broken},
		"emit fails": {
			r: strings.NewReader(oneSample + "\n# EOF\n"), emit: func(*ledger.Telemetry) error { return stop }, want: stop,
		},
		"context ends": {
			ctx: cancelled, r: bytes.NewReader(exposition{8, 1440, false}.text()), want: context.Canceled,
		},
		"reader never reads":  {r: stuck{}, want: io.ErrNoProgress},
		"two whole files":     {r: strings.NewReader(oneSample + "\n# EOF\n" + oneSample + "\n# EOF\n")},
		"EOF without newline": {r: strings.NewReader(oneSample + "\n# EOF")},
		"one byte at a time":  {r: iotest.OneByteReader(strings.NewReader(oneSample + "\n# EOF\n"))},
		"empty":               {r: strings.NewReader("")},
		"only comments":       {r: strings.NewReader("# HELP x y\n\n")},
		"text without EOF":    {r: strings.NewReader(oneSample + "000\n")},
	} {
		t.Run(name, func(t *testing.T) {
			if c.ctx == nil {
				c.ctx = t.Context()
			}
			if c.emit == nil {
				c.emit = discard
			}
			st, err := Parse(c.ctx, c.r, "f.om", Options{}, c.emit)
			if !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
				t.Fatalf("%v, want %v", err, c.want)
			}
			if err != nil && !strings.Contains(err.Error(), "f.om") {
				t.Errorf("the file is not named: %v", err)
			}
			checkStats(t, st)
		})
	}
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

func TestLongLines(t *testing.T) {
	long := `DCGM_FI_DEV_GPU_UTIL{UUID="GPU-a",Hostname="` + strings.Repeat("n", maxLine+10) + `"} 5 1790000040000`
	fits := `DCGM_FI_DEV_GPU_UTIL{UUID="GPU-a",Hostname="` + strings.Repeat("n", maxLine/2) + `"} 5 1790000040000`
	x, st := parse(t, long+"\n"+fits+"\n"+oneSample+"000\n"+long, Options{})
	if st.Accepted != 2 || st.RejectedBy["line too long"] != 2 || len(x.Samples) != 2 || st.Lines != 4 {
		t.Errorf("%+v", st.RejectedBy)
	}
}

func TestDefaultTimeAndCluster(t *testing.T) {
	text := "DCGM_FI_DEV_GPU_UTIL{UUID=\"GPU-a\",Hostname=\"n\",cluster=\"eu\"} 5\n"
	x, st := parse(t, text, Options{DefaultTime: 1790000040})
	if len(x.Samples) != 1 || x.Samples[0].Cluster != "eu" || st.Unlabelled != 0 {
		t.Errorf("%+v", x.Samples)
	}
	x, st = parse(t, text, Options{DefaultTime: 1790000040, Cluster: "us"})
	if len(x.Samples) != 1 || x.Samples[0].Cluster != "us" || fmt.Sprint(st.Clusters) != "[us]" {
		t.Errorf("%+v %v", x.Samples, st.Clusters)
	}
	_, st = parse(t, text, Options{DefaultTime: 1790000040, NotBefore: 1790000041})
	if st.Accepted != 1 {
		t.Errorf("the caller's own time was refused: %+v", st)
	}
	_, st = parse(t, oneSample+"000\n", Options{NotBefore: 1790000041})
	if st.RejectedBy["timestamp out of range"] != 1 {
		t.Errorf("%+v", st.RejectedBy)
	}
	_, st = parse(t, oneSample+"000\n", Options{NotAfter: 1790000040})
	if st.RejectedBy["time in the future"] != 1 || st.Accepted != 0 {
		t.Errorf("%+v", st.RejectedBy)
	}
}

func TestUtilUnit(t *testing.T) {
	for _, c := range []struct {
		unit     series.UtilUnit
		value    string
		want     int64
		rejected int64
	}{
		{series.UtilPercent, "87", 870000, 0}, {series.UtilPercent, "1", 10000, 0}, {series.UtilPercent, "101", 0, 1},
		{series.UtilRatio, "0.87", 870000, 0}, {series.UtilRatio, "1", 1000000, 0},
		{series.UtilRatio, "87", 0, 1}, {series.UtilByLabel, "1", 0, 1},
	} {
		x, st := parse(t, `DCGM_FI_DEV_GPU_UTIL_RATIO{UUID="GPU-a",Hostname="n"} `+c.value+" 1790000040000\n",
			Options{GPUUtilRatio: c.unit})
		if st.RejectedBy["ambiguous unit"] != c.rejected {
			t.Errorf("%+v: %v", c, st.RejectedBy)
		}
		if c.rejected == 0 && x.Samples[0].Vectors[ledger.SignalGPUUtil].Value[14] != c.want {
			t.Errorf("%+v: %+v", c, x.Samples[0])
		}
	}
}

func TestIgnoredNamesAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range maxIgnoredNames + 50 {
		fmt.Fprintf(&b, "metric_%d{a=\"b\"} 1\n", i)
	}
	_, st := parse(t, b.String(), Options{})
	if len(st.IgnoredBy) != maxIgnoredNames+1 || st.IgnoredBy[otherNames] != 50 {
		t.Errorf("%d names, %d others", len(st.IgnoredBy), st.IgnoredBy[otherNames])
	}
}

func TestDetect(t *testing.T) {
	for text, want := range map[string]bool{
		"# HELP a b\n":                           true,
		"Active 1g.5gb\n\n# TYPE a gauge\n":      true,
		"\ufeff# TYPE a gauge\n":                 true,
		oneSample:                                true,
		"kube_node_info{node=\"a\"} 1 1790000\n": true,
		"{\"my.metric\", a=\"b\"} 5\n":           true,
		"up 1 1700000000000\n":                   true,
		"x{a=\"b c\"} 5 # {trace=\"y\"} 1\n":     true,
		"up 1\n":                                 false,
		"hello world, this is prose\n":           false,
		"x{a=\"b\"} and 5 more\n":                false,
		"":                                       false,
		"{\"version\": \"0\", \"id\": \"x\"}":    false,
		"lineItem/UsageAmount,b\n1,2\n":          false,
		"prices:\n  - instance_type: p5\n":       false,
		"PAR1\x00\x00":                           false,
		"JobID|JobIDRaw|State\n1|1|COMPLETED\n":  false,
	} {
		if got := Detect([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// Values that a database could not store are refused line by line, not with the import.
func TestCountersSplitByAbsurdLabelsAreRejected(t *testing.T) {
	line := func(reason string) string {
		return `vllm:request_success_total{namespace="ns",pod="p",model_name="m",engine="0",finished_reason="` + reason +
			"\"} 1 1790000040000\n"
	}
	text := line(strings.Repeat("x", 300))
	for i := range minutes.MaxVectors + 3 {
		text += line(fmt.Sprint(i))
	}
	x, st := parse(t, text, Options{})
	if st.RejectedBy["bad counter label"] != 4 || len(x.Counters) != 1 {
		t.Fatalf("%v, %d hours", st.RejectedBy, len(x.Counters))
	}
	if _, err := minutes.Encode(nil, x.Counters[0].Counters); err != nil {
		t.Error(err)
	}
}

func TestLongNamesOfIgnoredMetricsAreNotKept(t *testing.T) {
	_, st := parse(t, strings.Repeat("n", 5000)+"{a=\"b\"} 1\n", Options{})
	if st.Ignored != 1 || st.IgnoredBy[otherNames] != 1 {
		t.Errorf("%d ignored", st.Ignored)
	}
}
