package otlp

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	commonv1 "go.opentelemetry.io/proto/otlp/common/v1"
	metricsv1 "go.opentelemetry.io/proto/otlp/metrics/v1"
	resourcev1 "go.opentelemetry.io/proto/otlp/resource/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"gpuledger/ingest/series"
	"gpuledger/internal/ledger"
)

const (
	startNS = 1_790_000_000_000_000_000
	atNS    = startNS + 60_000_000_000
)

// rows is a Sink that writes samples down.
type rows struct {
	name string
	out  []string
	bad  []string
	none int
}

func (r *rows) Named(name string, ls series.Labels) {
	r.name = name
	for _, l := range ls {
		r.name += " " + l.Name + "=" + l.Value
	}
}
func (r *rows) Decimal(ms int64, d series.Decimal) {
	r.out = append(r.out, fmt.Sprintf("%s @%d %v", r.name, ms-startNS/1_000_000, d))
}
func (r *rows) Counted(samples, _, _ int)           { r.none += samples }
func (r *rows) Refuse(reason, detail string, n int) { r.bad = append(r.bad, reason) }

func attrs(pairs ...string) []*commonv1.KeyValue {
	var list []*commonv1.KeyValue
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, &commonv1.KeyValue{
			Key: pairs[i], Value: &commonv1.AnyValue{Value: &commonv1.AnyValue_StringValue{StringValue: pairs[i+1]}},
		})
	}
	return list
}

func data(resource []*commonv1.KeyValue, metrics ...*metricsv1.Metric) *metricsv1.MetricsData {
	return &metricsv1.MetricsData{ResourceMetrics: []*metricsv1.ResourceMetrics{{
		Resource: &resourcev1.Resource{Attributes: resource}, ScopeMetrics: []*metricsv1.ScopeMetrics{{Metrics: metrics}}}}}
}

func gaugeOf(name, unit string, v float64, a ...string) *metricsv1.Metric {
	return &metricsv1.Metric{Name: name, Unit: unit,
		Data: &metricsv1.Metric_Gauge{Gauge: &metricsv1.Gauge{DataPoints: []*metricsv1.NumberDataPoint{
			{TimeUnixNano: atNS, Attributes: attrs(a...), Value: &metricsv1.NumberDataPoint_AsDouble{AsDouble: v}}}}}}
}

func sumOf(name string, t metricsv1.AggregationTemporality, points ...*metricsv1.NumberDataPoint) *metricsv1.Metric {
	return &metricsv1.Metric{
		Name: name, Data: &metricsv1.Metric_Sum{
			Sum: &metricsv1.Sum{AggregationTemporality: t, IsMonotonic: true, DataPoints: points},
		},
	}
}

const (
	cumulative = metricsv1.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE
	delta      = metricsv1.AggregationTemporality_AGGREGATION_TEMPORALITY_DELTA
)

// whole reads a message in both encodings and demands the same of both.
func whole(t *testing.T, m *metricsv1.MetricsData) *rows {
	t.Helper()
	binary, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	text, err := protojson.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	a, b := &rows{}, &rows{}
	if _, err := Read(binary, Protobuf, NewDeltas(0), a); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(text, JSON, NewDeltas(0), b); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(a.out, b.out) || !slices.Equal(a.bad, b.bad) || a.none != b.none {
		t.Errorf("protobuf and JSON differ:\n%v\n%v", a, b)
	}
	return a
}

func TestNames(t *testing.T) {
	for _, c := range []struct {
		name, unit string
		kind       kind
		want       string
	}{
		{"hw.gpu.utilization", "1", gauge, "hw_gpu_utilization_ratio"},
		{"hw.gpu.memory.usage", "By", gauge, "hw_gpu_memory_usage_bytes"},
		{"hw.gpu.io", "By", counter, "hw_gpu_io_bytes_total"},
		{"hw.power", "W", gauge, "hw_power_watts"},
		{"hw.energy", "J", counter, "hw_energy_joules_total"},
		{"hw.temperature", "Cel", gauge, "hw_temperature_celsius"},
		{"hw.errors", "{error}", counter, "hw_errors_total"},
		{"gen_ai.client.token.usage", "{token}", histogram, "gen_ai_client_token_usage"},
		{"gen_ai.client.operation.duration", "s", histogram, "gen_ai_client_operation_duration_seconds"},
		{"gen_ai.server.time_to_first_token", "s", histogram, "gen_ai_server_time_to_first_token_seconds"},
		{"DCGM_FI_DEV_GPU_UTIL", "", gauge, "DCGM_FI_DEV_GPU_UTIL"},
		{"DCGM_FI_DEV_POWER_USAGE", "W", gauge, "DCGM_FI_DEV_POWER_USAGE"},
		{"vllm:prompt_tokens", "", counter, "vllm:prompt_tokens_total"},
		{"vllm:prompt_tokens_total", "", counter, "vllm:prompt_tokens_total"},
		{"vllm:e2e_request_latency_seconds", "s", histogram, "vllm:e2e_request_latency_seconds"},
		{"kube_pod_info", "", gauge, "kube_pod_info"},
		{"http.server.request.body.size", "By", histogram, "http_server_request_body_size_bytes"},
		{"network.io", "By/s", gauge, "network_io_bytes_per_second"},
		{"2nd..thing-", "", gauge, "_2nd_thing"},
		{"foo.total", "s", counter, "foo_seconds_total"},
	} {
		if got := metricName(c.name, c.unit, c.kind); got != c.want {
			t.Errorf("%s [%s]: %s, want %s", c.name, c.unit, got, c.want)
		}
	}
}

func TestLabelsOfResources(t *testing.T) {
	pod := attrs("k8s.cluster.name", "c", "k8s.node.name", "n1", "k8s.namespace.name", "serve", "k8s.pod.name", "vllm-0",
		"service.name", "llm", "host.name", "h")
	for _, c := range []struct {
		metric *metricsv1.Metric
		want   string
	}{
		{sumOf("vllm:prompt_tokens", cumulative,
			&metricsv1.NumberDataPoint{
				TimeUnixNano: atNS, Attributes: attrs("model_name", "m", "job", "x"),
				Value: &metricsv1.NumberDataPoint_AsInt{AsInt: math.MaxInt64},
			}),
			"vllm:prompt_tokens_total cluster=c exported_job=x job=llm model_name=m namespace=serve node=n1 pod=vllm-0 @60000"},
		{gaugeOf("DCGM_FI_DEV_POWER_USAGE", "W", 300, "UUID", "GPU-1", "Hostname", "n1", "pod", "train-0", "namespace", "ml"),
			"DCGM_FI_DEV_POWER_USAGE Hostname=n1 UUID=GPU-1 cluster=c namespace=ml node=n1 pod=train-0 @60000"},
		{
			gaugeOf("DCGM_FI_DEV_POWER_USAGE", "W", 300, "UUID", "GPU-1"),
			"DCGM_FI_DEV_POWER_USAGE UUID=GPU-1 cluster=c node=n1 @60000",
		},
		{
			gaugeOf("kube_pod_info", "", 1, "pod", "p", "namespace", "x", "uid", "u", "node", ""),
			"kube_pod_info cluster=c namespace=x pod=p uid=u @60000",
		},
		{
			gaugeOf("hw.power", "W", 250, "hw.id", "GPU-2", "hw.type", "gpu"),
			"hw_power_watts cluster=c hw_id=GPU-2 hw_type=gpu node=n1 @60000",
		},
	} {
		got := whole(t, data(pod, c.metric))
		if len(got.out) != 1 || !strings.HasPrefix(got.out[0], c.want) {
			t.Errorf("%q\nwant %s", got.out, c.want)
		}
	}
	got := whole(t, data(attrs("host.name", "h"), gaugeOf("hw.power", "W", 1, "a.b", "1", "a_b", "2")))
	if len(got.out) != 1 || !strings.Contains(got.out[0], "a_b=1;2 node=h") {
		t.Error(got.out)
	}
}

func TestHistograms(t *testing.T) {
	sum := 12.5
	h := &metricsv1.Metric{Name: "gen_ai.server.time_to_first_token", Unit: "s",
		Data: &metricsv1.Metric_Histogram{Histogram: &metricsv1.Histogram{AggregationTemporality: cumulative,
			DataPoints: []*metricsv1.HistogramDataPoint{
				{
					TimeUnixNano: atNS, StartTimeUnixNano: startNS, Count: 6, Sum: &sum, ExplicitBounds: []float64{0.5, 1, 1e7},
					BucketCounts: []uint64{1, 2, 3, 0}, Attributes: attrs("gen_ai.request.model", "m"),
				},
				{TimeUnixNano: atNS, Count: 6, ExplicitBounds: []float64{1, 1}, BucketCounts: []uint64{1, 2, 3}},
				{TimeUnixNano: atNS, Count: 6, ExplicitBounds: []float64{1}, BucketCounts: []uint64{1, 2, 3}},
				{TimeUnixNano: atNS, Flags: 1},
			}}}}
	got := whole(t, data(nil, h))
	text := strings.Join(got.out, "\n")
	for _, want := range []string{
		"seconds_count gen_ai_request_model=m @60000", "seconds_sum gen_ai_request_model=m",
		"seconds_bucket gen_ai_request_model=m le=0.5 @", "le=1.0 @",
		"le=1e+07 @", "le=+Inf @", "_created gen_ai_request_model=m @60000",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing in\n%s", want, text)
		}
	}
	if !slices.Equal(got.bad, []string{refusedBounds, refusedBounds}) || got.none != 1 {
		t.Errorf("%v, %d without a value", got.bad, got.none)
	}
}

func TestDeltasAreSummedOnce(t *testing.T) {
	d := NewDeltas(0)
	point := func(from, to int64, v int64) *metricsv1.NumberDataPoint {
		return &metricsv1.NumberDataPoint{
			StartTimeUnixNano: uint64(startNS + from*1e9), TimeUnixNano: uint64(startNS + to*1e9),
			Value: &metricsv1.NumberDataPoint_AsInt{AsInt: v},
		}
	}
	read := func(points ...*metricsv1.NumberDataPoint) *rows {
		body, err := proto.Marshal(data(nil, sumOf("vllm:prompt_tokens", delta, points...)))
		if err != nil {
			t.Fatal(err)
		}
		r := &rows{}
		if _, err := Read(body, Protobuf, d, r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	one := read(point(0, 10, 5), point(10, 20, 7))
	again := read(point(0, 10, 5), point(10, 20, 7))
	if !slices.Equal(one.out, again.out) || !strings.Contains(strings.Join(one.out, "\n"), "@20000 12\n") {
		t.Errorf("%v\n%v", one.out, again.out)
	}
	if next := read(point(20, 30, 1)); !strings.HasSuffix(next.out[0], "@30000 13") {
		t.Error(next.out)
	}
	if late := read(point(5, 15, 1)); len(late.out) != 0 || !slices.Equal(late.bad, []string{refusedLate}) {
		t.Errorf("%+v", late)
	}
	small := NewDeltas(4)
	for i := range 100 {
		if _, _, late := small.add(fmt.Sprint(i), 0, int64(i), number{i: 1}); late || len(small.series) > 4 {
			t.Fatalf("%d series of 4", len(small.series))
		}
	}
	if n := (number{i: math.MaxInt64}).plus(number{i: 1}); !n.isFloat {
		t.Error("a sum beyond 63 bits wraps around")
	}
}

func TestRefusals(t *testing.T) {
	got := whole(t, data(nil,
		&metricsv1.Metric{Name: "vllm:prompt_tokens_total"},
		&metricsv1.Metric{Name: "hw.power", Unit: "W",
			Data: &metricsv1.Metric_Gauge{Gauge: &metricsv1.Gauge{DataPoints: []*metricsv1.NumberDataPoint{
				{Value: &metricsv1.NumberDataPoint_AsInt{AsInt: 1}}, {TimeUnixNano: atNS}, {TimeUnixNano: atNS, Flags: 1}}}}},
		gaugeOf("hw.power", "W", math.NaN())))
	if !slices.Equal(got.bad, []string{refusedKind, refusedTime, refusedValue}) || got.none != 2 {
		t.Errorf("%v, %d without a value", got.bad, got.none)
	}
	for _, e := range []Encoding{Protobuf, JSON} {
		if _, err := Read([]byte("{]"), e, NewDeltas(0), &rows{}); err == nil {
			t.Errorf("%s: nonsense is read", e)
		}
	}
	deep := strings.Repeat(`{"arrayValue":{"values":[`, 5000)
	if _, err := Read([]byte(`{"resourceMetrics":[{"resource":{"attributes":[{"key":"k8s.pod.name","value":`+deep), JSON,
		NewDeltas(0), &rows{}); err == nil {
		t.Error("attributes nested 5000 deep are read")
	}
}

func TestFiles(t *testing.T) {
	m := data(attrs("k8s.node.name", "n1", "k8s.cluster.name", "c"),
		gaugeOf("DCGM_FI_DEV_POWER_USAGE", "W", 300.25, "UUID", "GPU-1", "gpu", "0"), gaugeOf("other.thing", "", 1))
	bin, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	text, err := protojson.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	framed := binary.BigEndian.AppendUint32(nil, uint32(len(bin)))
	framed = append(append(framed, bin...), append(binary.BigEndian.AppendUint32(nil, uint32(len(bin))), bin...)...)
	for name, c := range map[string]struct {
		body string
		rows int64
		err  string
	}{
		"protobuf":   {string(bin), 2, ""},
		"framed":     {string(framed), 4, ""},
		"cut":        {string(framed[:len(framed)-3]), 0, "breaks off"},
		"json":       {string(text), 2, ""},
		"lines":      {string(text) + "\n" + string(text) + "\n", 4, ""},
		"list":       {"[" + string(text) + ",\n" + string(text) + "]", 4, ""},
		"bom":        {"\ufeff\n" + string(text), 2, ""},
		"empty":      {"", 0, "empty"},
		"half":       {string(text[:len(text)-5]), 0, "message 1"},
		"no message": {"{\"resourceMetrics\":7}", 0, "malformed"},
		"too long":   {"{\"resourceMetrics\":\"" + strings.Repeat("x", 1<<20), 0, "more than"},
	} {
		var facts []*ledger.Telemetry
		got, err := Parse(context.Background(), strings.NewReader(c.body), name, Options{MaxMessage: 1 << 19},
			func(t *ledger.Telemetry) error { facts = append(facts, t); return nil })
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || got.Rows != c.rows || got.Rows != got.Accepted+got.Absent+got.IgnoredRows()+got.RejectedRows() ||
			got.Accepted*2 != c.rows {
			t.Errorf("%s: %+v, %v", name, got, err)
			continue
		}
		s := facts[0].Samples[0]
		if v := s.Vectors[ledger.SignalPower]; s.Cluster != "c" || s.Node != "n1" ||
			v.Value[atNS/1_000_000_000%3600/60] != 300_300 {
			t.Errorf("%s: %+v", name, s)
		}
	}
	if !Looks(text) || Looks([]byte(`{"Records":[]}`)) || Looks(bin) {
		t.Error("a file is taken for what it is not")
	}
}

func TestResponses(t *testing.T) {
	if got := string(Response(JSON, 3,
		"a\"b")); got != `{"partialSuccess":{"errorMessage":"a\"b","rejectedDataPoints":"3"}}` {
		t.Error(got)
	}
	if got := string(Response(JSON, 0, "")); got != "{}" {
		t.Error(got)
	}
	if got := fmt.Sprintf("%x", Response(Protobuf, 3, "ab")); got != "0a06080312026162" {
		t.Error(got)
	}
	if got := Response(Protobuf, 0, ""); len(got) != 0 {
		t.Error(got)
	}
}

func FuzzRead(f *testing.F) {
	sum := 1.0
	m := data(attrs("k8s.pod.name", "p"), gaugeOf("hw.power", "W", 1, "hw.id", "GPU-1"),
		sumOf("vllm:prompt_tokens", delta, &metricsv1.NumberDataPoint{
			TimeUnixNano: atNS, StartTimeUnixNano: startNS, Value: &metricsv1.NumberDataPoint_AsInt{AsInt: 5},
		}),
		&metricsv1.Metric{
			Name: "gen_ai.client.token.usage",
			Data: &metricsv1.Metric_Histogram{
				Histogram: &metricsv1.Histogram{
					DataPoints: []*metricsv1.HistogramDataPoint{
						{TimeUnixNano: atNS, Count: 1, Sum: &sum, ExplicitBounds: []float64{1}, BucketCounts: []uint64{1, 0}},
					},
				},
			},
		})
	for _, e := range []Encoding{Protobuf, JSON} {
		var body []byte
		var err error
		if e == JSON {
			body, err = protojson.Marshal(m)
		} else {
			body, err = proto.Marshal(m)
		}
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body, e == JSON)
	}
	f.Fuzz(func(t *testing.T, body []byte, text bool) {
		e := Protobuf
		if text {
			e = JSON
		}
		r := &rows{}
		points, err := Read(body, e, NewDeltas(10), r)
		if err != nil && (len(r.out) > 0 || len(r.bad) > 0) {
			t.Error("a message that is refused gave something")
		}
		if err == nil && len(r.bad) > points {
			t.Errorf("%d refused of %d points", len(r.bad), points)
		}
	})
}
