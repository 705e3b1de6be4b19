package openmetrics

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
)

// merged is telemetry after the merges that the types of package ledger
// describe, keyed by identity and rendered as text.
type merged map[string]string

// mergeTelemetry is a small store, independent of the parser.
func mergeTelemetry(parts ...*ledger.Telemetry) merged {
	samples := map[string]ledger.SampleHour{}
	masks := map[string]uint64{}
	nodes := map[string]ledger.NodeFact{}
	pods := map[string]ledger.WorkloadFact{}
	objects := map[string]ledger.ObjectFact{}
	inference := map[string]ledger.CounterHour{}
	out := merged{}
	for _, x := range parts {
		for _, s := range x.Samples {
			k := fmt.Sprint("sample ", s.Cluster, s.Node, s.Device, s.SliceID, s.Profile, s.Hour)
			h := samples[k]
			h.Model, h.Index = max(h.Model, s.Model), max(h.Index, s.Index)
			h.Vectors = together(h.Vectors, s.Vectors)
			samples[k] = h
		}
		for _, e := range x.Evidence {
			masks[fmt.Sprint("evidence ", e.Cluster, e.Node, e.Device, e.SliceID, e.Namespace, e.Pod, e.Hour)] |= e.Minutes
		}
		for _, s := range x.NodeStates {
			k := fmt.Sprint("node state ", s.Cluster, s.Name, s.State, s.Hour)
			masks[k] |= s.Minutes
			masks[k+" known"] |= s.Known
		}
		for _, s := range x.Sources {
			masks[fmt.Sprint("source ", s.Cluster, s.Hour)] |= s.Minutes
		}
		for _, s := range x.PodStates {
			masks[fmt.Sprint("crash ", s.Cluster, s.UID, s.Hour)] |= s.Minutes
		}
		for _, n := range x.Nodes {
			k := fmt.Sprint("node ", n.Cluster, n.Name)
			m := nodes[k]
			m.ProviderID = max(m.ProviderID, n.ProviderID)
			m.Created, m.FirstSeen, m.LastSeen = earliestOf(m.Created, n.Created), earliestOf(m.FirstSeen, n.FirstSeen),
				max(m.LastSeen, n.LastSeen)
			m.Labels, m.Capacity = larger(m.Labels, n.Labels), larger(m.Capacity, n.Capacity)
			nodes[k] = m
		}
		for _, p := range x.Workloads {
			k := fmt.Sprint("pod ", p.Cluster, p.UID, p.Namespace, p.Name)
			pods[k] = mergeWorkloadFact(pods[k], p)
		}
		for _, o := range x.Objects {
			k := fmt.Sprint("object ", o.Cluster, o.Kind, o.Namespace, o.Name)
			m := objects[k]
			m.OwnerKind, m.OwnerName = max(m.OwnerKind, o.OwnerKind), max(m.OwnerName, o.OwnerName)
			m.Created = max(m.Created, o.Created)
			m.Labels, m.Attrs = union(m.Labels, o.Labels), union(m.Attrs, o.Attrs)
			objects[k] = m
		}
		for _, p := range x.Placements {
			to := p.To
			p.To = 0
			k := fmt.Sprintf("placement %+v", p)
			out[k] = max(out[k], fmt.Sprintf("%020d", to))
		}
		for _, e := range x.Events {
			e.Reason = ""
			out[fmt.Sprintf("event %+v", e)] = ""
		}
		for _, c := range x.Checkpoints {
			out[fmt.Sprint("checkpoint ", c)] = ""
		}
		for _, h := range x.Counters {
			k := fmt.Sprint("inference ", h.Cluster, h.Namespace, h.Pod, h.Server, h.Model, h.Engine, h.Hour)
			m := inference[k]
			m.Counters = together(m.Counters, h.Counters)
			inference[k] = m
		}
	}
	for k, m := range masks {
		out[k] = renderMask(m)
	}
	for k, s := range samples {
		out[k] = fmt.Sprint(s.Model, s.Index, renderVectors(s.Vectors))
	}
	for k, n := range nodes {
		out[k] = fmt.Sprintf("%+v", n)
	}
	for k, p := range pods {
		out[k] = fmt.Sprintf("%+v", p)
	}
	for k, o := range objects {
		out[k] = fmt.Sprintf("%+v", o)
	}
	for k, h := range inference {
		out[k] = renderVectors(h.Counters)
	}
	return out
}

func mergeWorkloadFact(m, p ledger.WorkloadFact) ledger.WorkloadFact {
	if p.TerminalAt != 0 && (m.TerminalAt == 0 || p.TerminalAt < m.TerminalAt || p.TerminalAt == m.TerminalAt &&
		p.Phase > m.Phase) ||
		p.TerminalAt == 0 && m.TerminalAt == 0 && p.Phase > m.Phase {
		m.Phase = p.Phase
	}
	m.Node, m.OwnerKind, m.OwnerName = max(m.Node, p.Node), max(m.OwnerKind, p.OwnerKind), max(m.OwnerName, p.OwnerName)
	for _, t := range []struct{ a, b *period.Second }{
		{&m.Created, &p.Created}, {&m.Scheduled, &p.Scheduled}, {&m.Started, &p.Started}, {&m.Completed, &p.Completed},
		{&m.Deleted, &p.Deleted}, {&m.TerminalAt, &p.TerminalAt}, {&m.FirstSeen, &p.FirstSeen},
	} {
		*t.a = earliestOf(*t.a, *t.b)
	}
	m.LastSeen = max(m.LastSeen, p.LastSeen)
	m.StatusReason, m.TerminatedReason = max(m.StatusReason, p.StatusReason), max(m.TerminatedReason, p.TerminatedReason)
	m.Labels, m.Requests = larger(m.Labels, p.Labels), larger(m.Requests, p.Requests)
	return m
}

func renderVectors[K ~string](m map[K]ledger.Minutes) string {
	var s []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		s = append(s, string(k)+renderMinutes(m[k]))
	}
	return strings.Join(s, ";")
}

func larger[V cmp.Ordered](a, b map[string]V) map[string]V {
	if fmt.Sprint(b) > fmt.Sprint(a) && len(b) > 0 || len(a) == 0 && len(b) > 0 {
		return b
	}
	return a
}

func union(a, b map[string]string) map[string]string {
	m := maps.Clone(a)
	if m == nil {
		m = map[string]string{}
	}
	for k, v := range b {
		m[k] = max(m[k], v)
	}
	return m
}

// lineSeries are series of every kind; %v is the value. Labels and requests do
// not change and states have one value per minute: those merge by sample times
// that the facts of several files do not carry.
var lineSeries = []struct {
	text   string
	values []string
}{
	{
		`DCGM_FI_PROF_GR_ENGINE_ACTIVE{gpu="0",UUID="GPU-a",Hostname="n1",modelName="NVIDIA H200",exported_namespace="ns",exported_pod="p"}`, []string{
			"0.1", "0.25", "0.8731", "NaN",
		},
	},
	{
		`DCGM_FI_PROF_GR_ENGINE_ACTIVE{gpu="0",UUID="GPU-a",Hostname="n1",modelName="NVIDIA-H200",exported_namespace="ns",exported_pod="q"}`, []string{"0.1", "0.3"},
	},
	{
		`DCGM_FI_DEV_POWER_USAGE{gpu="1",UUID="GPU-b",GPU_I_ID="3",GPU_I_PROFILE="1g.18gb",Hostname="n1"}`,
		[]string{"100", "101.5", "140737488355328.0"},
	},
	{
		`DCGM_FI_DEV_POWER_USAGE{gpu="1",UUID="GPU-b",GPU_I_ID="4",GPU_I_PROFILE="1g.18gb",Hostname="n1",namespace="ns",pod="p"}`, []string{"100", "102"},
	},
	{
		`DCGM_FI_DEV_FB_USED{gpu="1",UUID="GPU-b",GPU_I_ID="4",GPU_I_PROFILE="1g.18gb",Hostname="n1"}`,
		[]string{"4", "17000"},
	},
	{`kube_node_info{node="n1",provider_id="aws:///z/i-1"}`, []string{"1"}},
	{`kube_node_created{node="n1"}`, []string{"1.78e+09"}},
	{`kube_node_labels{node="n1",label_a="b"}`, []string{"1"}},
	{`kube_node_status_capacity{node="n1",resource="nvidia_com_gpu"}`, []string{"8"}},
	{
		`kube_pod_info{namespace="ns",pod="p",uid="u",node="n1",created_by_kind="Job",created_by_name="j"}`,
		[]string{"1", "0"},
	},
	{`kube_pod_labels{namespace="ns",pod="p",uid="u",label_team="x"}`, []string{"1"}},
	{`kube_pod_status_scheduled_time{namespace="ns",pod="p",uid="u"}`, []string{"1790000001", "1790000009"}},
	{`kube_pod_status_phase{namespace="ns",pod="p",uid="u",phase="Failed"}`, []string{"0", "1"}},
	{`kube_pod_status_phase{namespace="ns",pod="p",uid="u",phase="Succeeded"}`, []string{"0", "1"}},
	{
		`kube_pod_container_status_terminated_reason{namespace="ns",pod="p",uid="u",container="c",reason="OOMKilled"}`,
		[]string{"0", "1"},
	},
	{
		`kube_pod_container_status_waiting_reason{namespace="ns",pod="p",uid="u",container="c",reason="CrashLoopBackOff"}`,
		[]string{"0", "1"},
	},
	{
		`kube_pod_container_resource_requests{namespace="ns",pod="p",uid="u",container="c",resource="nvidia_com_gpu"}`,
		[]string{"2"},
	},
	{`kube_job_created{namespace="ns",job_name="j"}`, []string{"1789999999"}},
	{`kube_job_spec_completions{namespace="ns",job_name="j"}`, []string{"2"}},
	{`kube_job_status_failed{namespace="ns",job_name="j",reason="DeadlineExceeded"}`, []string{"0", "1"}},
	{`kube_namespace_labels{namespace="ns",label_team="x"}`, []string{"1"}},
	{`vllm:prompt_tokens_total{namespace="ns",pod="p",model_name="m",engine="0"}`, []string{"1", "2.5", "1000"}},
	{
		`vllm:request_success_total{namespace="ns",pod="p",model_name="m",engine="0",finished_reason="stop"}`,
		[]string{"1", "2"},
	},
	{`vllm:time_to_first_token_seconds_bucket{namespace="ns",pod="p",model_name="m",le="1e-1"}`, []string{"1", "2"}},
	{`ray_vllm_time_to_first_token_seconds_bucket{namespace="ns",pod="p",model_name="m",le="0.10"}`, []string{"1", "3"}},
	{
		`vllm:prompt_tokens_created{namespace="ns",pod="p",model_name="m",engine="0"}`,
		[]string{"1789990000", "1789990001.5"},
	},
	{`ray_serve_num_http_requests_total{namespace="ns",pod="p",route="/a",method="GET"}`, []string{"5", "6"}},
	{`litellm_requests_metric_total{instance="gw:4000",model="m",user="u"}`, []string{"5", "6"}},
	{
		`gpuledger_gpu_memory_used_bytes{uuid="GPU-b",gpu="1",hostname="n1",gi="4",profile="1g.18gb"}`,
		[]string{"1000", "2000"},
	},
	{
		`gpuledger_gpu_process_memory_bytes{uuid="GPU-a",gpu="0",model="NVIDIA H200",hostname="n1",pod_uid="u"}`,
		[]string{"1000", "2000"},
	},
	{
		`gpuledger_gpu_process_memory_bytes{uuid="GPU-a",gpu="0",model="NVIDIA H200",hostname="n1",pid="7",process="x"}`,
		[]string{"1000", "NaN"},
	},
	{
		`gpuledger_gpu_process_memory_bytes{uuid="GPU-a",gpu="0",model="NVIDIA H200",hostname="n1",hpc_job="4"}`,
		[]string{"1000"},
	},
	{`gpuledger_host_cpu_ratio{hostname="n1"}`, []string{"0.5", "0.25"}},
	{`training_last_checkpoint_timestamp_seconds{namespace="ns",pod="p"}`, []string{"0", "1790000001.5", "1790000100"}},
	{`DCGM_FI_DEV_GPU_UTIL{Hostname="n1"}`, []string{"5"}},
	{`go_goroutines{job="x"}`, []string{"5"}},
}

var stateSeries = []string{
	`kube_node_status_condition{node="n1",condition="Ready",status="true"}`,
	`kube_node_spec_unschedulable{node="n1"}`,
}

var drawLine = rapid.Custom(func(t *rapid.T) string {
	at := 1_790_000_000 + rapid.IntRange(0, 2*3600).Draw(t, "second")
	ms := rapid.SampledFrom([]string{"", ".5", ".015"}).Draw(t, "ms")
	if rapid.IntRange(0, 9).Draw(t, "state") == 0 {
		s := rapid.SampledFrom(stateSeries).Draw(t, "series")
		return fmt.Sprintf("%s %d %d%s\n", s, at/60%7/4, at, ms)
	}
	s := rapid.SampledFrom(lineSeries).Draw(t, "series")
	return fmt.Sprintf("%s %s %d%s\n", s.text, rapid.SampledFrom(s.values).Draw(t, "value"), at, ms)
})

func TestOrderAndPackingDoNotMatter(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		lines := rapid.SliceOfN(drawLine, 0, 60).Draw(rt, "lines")
		read := func(opt Options, lines ...string) *ledger.Telemetry {
			x, _ := parse(t, strings.Join(lines, "")+"# EOF\n", opt)
			return x
		}
		whole := read(Options{}, lines...)
		want := mergeTelemetry(whole)
		check := func(what string, parts ...*ledger.Telemetry) {
			if d := gocmp.Diff(want, mergeTelemetry(parts...)); d != "" {
				rt.Fatalf("%s: %s", what, d)
			}
		}
		cut := rapid.IntRange(0, len(lines)).Draw(rt, "cut")
		check("cut in two", read(Options{}, lines[:cut]...), read(Options{}, lines[cut:]...))
		check("cut, second half first", read(Options{}, lines[cut:]...), read(Options{}, lines[:cut]...))
		check("shuffled", read(Options{}, rapid.Permutation(lines).Draw(rt, "order")...))
		check("loaded twice", whole, whole)
		check("every line twice", read(Options{}, append(slices.Clone(lines), lines...)...))
		check("flushed all the time", read(Options{MaxPending: 1}, lines...))
	})
}

func TestNodeNamePassesToAnotherMachine(t *testing.T) {
	x, _ := parse(t, `kube_node_info{node="n",provider_id="aws:///z/i-1"} 1 1790000000
kube_node_info{node="n",provider_id="aws:///z/i-1"} 1 1790000060
kube_node_created{node="n"} 1789990000 1790000060
kube_node_created{node="n"} 1790003000 1790003060
kube_node_labels{node="n",label_type="a"} 1 1790000060
kube_node_labels{node="n",label_type="b"} 1 1790003060
kube_node_status_capacity{node="n",resource="nvidia_com_gpu"} 4 1790000060
kube_node_status_capacity{node="n",resource="nvidia_com_gpu"} 8 1790003120
kube_node_info{node="n",provider_id="aws:///z/i-2"} 1 1790003060
# EOF
`, Options{})
	want := []ledger.NodeFact{
		{Cluster: "default", Name: "n", ProviderID: "aws:///z/i-1", Labels: map[string]string{"type": "a"},
			Capacity: map[string]int64{"nvidia_com_gpu": 4},
			Created:  1789990000, FirstSeen: 1790000000, LastSeen: 1790000060, AttrsAt: 1790000060000},
		{Cluster: "default", Name: "n", ProviderID: "aws:///z/i-2", Labels: map[string]string{"type": "b"},
			Created: 1790003000, FirstSeen: 1790003060, LastSeen: 1790003060, AttrsAt: 1790003060000},
		{
			Cluster: "default", Name: "n", ProviderID: "aws:///z/i-2",
			Capacity: map[string]int64{"nvidia_com_gpu": 8}, AttrsAt: 1790003120000,
		},
	}
	if d := gocmp.Diff(want, x.Nodes); d != "" {
		t.Error(d)
	}
}

// earliestOf keeps the smaller of two times, 0 being unknown.
func earliestOf(have, t period.Second) period.Second {
	if have == 0 || t != 0 && t < have {
		return t
	}
	return have
}

// together are the vectors of both, merged one by one.
func together[K ~string](x, y map[K]ledger.Minutes) map[K]ledger.Minutes {
	out := make(map[K]ledger.Minutes, len(x))
	maps.Copy(out, x)
	for k, v := range y {
		m := out[k]
		minutes.Merge(&m, &v)
		out[k] = m
	}
	return out
}
