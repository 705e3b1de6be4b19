package series

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

const pod = `namespace="ns",pod="p",uid="u",`

func (r *reader) requests() map[string]int64 {
	r.t.Helper()
	for _, w := range r.flush().Workloads {
		if w.Requests != nil {
			return w.Requests
		}
	}
	return nil
}

// Rule 4.2: containers and sidecars together, or the largest init container.
func TestEffectiveRequests(t *testing.T) {
	const gpu = `resource="nvidia_com_gpu"`
	for name, c := range map[string]struct {
		series [][3]string
		want   map[string]int64
	}{
		"the largest init container is more": {[][3]string{
			{"kube_pod_container_resource_requests", pod + `container="a",` + gpu, "1"},
			{"kube_pod_container_resource_requests", pod + `container="b",` + gpu, "1"},
			{"kube_pod_init_container_resource_requests", pod + `container="warm",` + gpu, "4"},
			{"kube_pod_init_container_resource_requests", pod + `container="wipe",` + gpu, "3"},
		}, map[string]int64{"nvidia_com_gpu": 4}},
		"it is less": {[][3]string{
			{"kube_pod_init_container_resource_requests", pod + `container="warm",` + gpu, "1"},
			{"kube_pod_container_resource_requests", pod + `container="a",` + gpu, "2"},
		}, map[string]int64{"nvidia_com_gpu": 2}},
		"a sidecar adds up, whenever it is told": {[][3]string{
			{"kube_pod_init_container_resource_requests", pod + `container="proxy",` + gpu, "1"},
			{"kube_pod_container_resource_requests", pod + `container="a",` + gpu, "2"},
			{"kube_pod_init_container_info", pod + `container="proxy",restart_policy="Always"`, "1"},
			{"kube_pod_init_container_info", pod + `container="other",restart_policy=""`, "1"},
		}, map[string]int64{"nvidia_com_gpu": 3}},
		"a limit where there is no request": {[][3]string{
			{"kube_pod_container_resource_limits", pod + `container="a",` + gpu, "2"},
			{"kube_pod_container_resource_limits", pod + `container="b",resource="nvidia_com_mig_1g_10gb_me"`, "1"},
			{"kube_pod_container_resource_requests", pod + `container="b",resource="nvidia_com_mig_1g_10gb_me"`, "1"},
		}, map[string]int64{"nvidia_com_gpu": 2, "nvidia_com_mig_1g_10gb_me": 1}},
		"CPU and memory are thousandths and bytes, and only what is requested": {[][3]string{
			{"kube_pod_container_resource_requests", pod + `container="a",resource="cpu"`, "0.25"},
			{"kube_pod_container_resource_requests", pod + `container="b",resource="cpu"`, "4"},
			{"kube_pod_container_resource_requests", pod + `container="a",resource="memory"`, "1.34217728e+08"},
			{"kube_pod_container_resource_limits", pod + `container="b",resource="memory"`, "268435456"},
			{"kube_pod_init_container_resource_requests", pod + `container="warm",resource="memory"`, "134217729"},
		}, map[string]int64{"cpu": 4250, "memory": 134217729}},
		"other resources hold nothing": {[][3]string{
			{"kube_pod_container_resource_requests", pod + `container="a",resource="ephemeral_storage"`, "4"},
			{"kube_pod_init_container_info", pod + `container="proxy",restart_policy="Always"`, "1"},
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			for _, order := range []int{1, -1} {
				r := newReader(t, Options{})
				for i := range c.series {
					s := c.series[i]
					if order < 0 {
						s = c.series[len(c.series)-1-i]
					}
					r.add(s[0], s[1], s[2], testHour)
				}
				if d := cmp.Diff(c.want, r.requests()); d != "" {
					t.Error(d)
				}
			}
		})
	}
}

func TestRequestsComeOnBothSidesOfAFlush(t *testing.T) {
	r := newReader(t, Options{})
	r.must("kube_pod_container_resource_requests", pod+`container="a",resource="nvidia_com_gpu"`, "1", testHour)
	r.flush()
	r.must("kube_pod_init_container_resource_requests", pod+`container="i",resource="nvidia_com_gpu"`, "8", testHour+1)
	if d := cmp.Diff(map[string]int64{"nvidia_com_gpu": 8}, r.requests()); d != "" {
		t.Error(d)
	}
}

func restartsOf(x *ledger.Telemetry) map[period.Second]string {
	out := map[period.Second]string{}
	for _, e := range x.Events {
		if e.What == ledger.WorkloadRestarted && e.Kind == "Pod" && e.UID == "u" && e.Namespace == "ns" && e.Name == "p" {
			out[e.At] = e.Reason
		}
	}
	return out
}

func TestRestartsByTheirEnds(t *testing.T) {
	r := newReader(t, Options{})
	gpu := func(at int64) {
		r.must("kube_pod_container_resource_requests", pod+`container="main",resource="nvidia_com_gpu"`, "1", at)
	}
	ends := func(container, value string, at int64) {
		r.must("kube_pod_container_status_last_terminated_timestamp", pod+`container="`+container+`"`, value, at)
	}
	ends("main", "1789999000", testHour) // before its requests are known
	r.must("kube_pod_container_status_restarts_total", pod+`container="main"`, "1", testHour)
	r.must("kube_pod_container_status_last_terminated_reason", pod+`container="main",reason="OOMKilled"`, "1", testHour)
	ends("helper", "1789999001", testHour)
	if got := restartsOf(r.flush()); len(got) != 0 {
		t.Errorf("of a container of unknown requests: %v", got)
	}
	gpu(testHour)
	if d := cmp.Diff(map[period.Second]string{1789999000: "OOMKilled"}, restartsOf(r.flush())); d != "" {
		t.Error(d)
	}
	// The same again, and one more. Counts do not matter where ends are known.
	ends("main", "1789999000", testHour+60)
	ends("main", "1789999100", testHour+120)
	r.must("kube_pod_container_status_restarts_total", pod+`container="main"`, "2", testHour+120)
	r.must("kube_pod_container_status_restarts_total", pod+`container="main"`, "2", testHour+180)
	r.must("kube_pod_container_status_last_terminated_reason", pod+`container="main",reason="Error"`, "1", testHour+120)
	if d := cmp.Diff(map[period.Second]string{1789999100: "Error"}, restartsOf(r.flush())); d != "" {
		t.Error(d)
	}
}

func TestRestartsByCounts(t *testing.T) {
	const count, labels = "kube_pod_container_status_restarts_total", pod + `container="main"`
	r := newReader(t, Options{})
	r.must("kube_pod_container_resource_requests", pod+`container="main",resource="nvidia_com_gpu"`, "1", testHour)
	r.must(count, labels, "7", testHour) // restarted before, at an unknown time
	r.must(count, labels, "8", testHour+60)
	if got := restartsOf(r.flush()); len(got) != 0 {
		t.Errorf("the newest sample waits: %v", got)
	}
	r.must(count, labels, "8", testHour+120)
	r.must(count, labels, "10", testHour+180)
	r.must(count, labels, "10", testHour+240)
	want := map[period.Second]string{testHour + 60: "", testHour + 180: ""}
	if d := cmp.Diff(want, restartsOf(r.flush())); d != "" {
		t.Error(d)
	}
	// A backfill of the same samples, in another order and twice, gives the same.
	again := newReader(t, Options{})
	again.must("kube_pod_container_resource_requests", pod+`container="main",resource="nvidia_com_gpu"`, "1", testHour)
	for range 2 {
		for at, n := range map[int64]string{240: "10", 180: "10", 120: "8", 60: "8", 0: "7"} {
			again.must(count, labels, n, testHour+at)
		}
	}
	if d := cmp.Diff(want, restartsOf(again.flush())); d != "" {
		t.Error(d)
	}
}

func TestJobsThatAreSuspended(t *testing.T) {
	const name, labels = "kube_job_status_suspended", `namespace="ns",job_name="j"`
	r := newReader(t, Options{})
	r.must(name, labels, "0", testHour)
	r.must(name, labels, "0", testHour+60)
	r.flush()
	r.must(name, labels, "1", testHour+120)
	r.must(name, labels, "1", testHour+180)
	r.must(name, labels, "0", testHour+90) // late: out of order
	r.must(name, labels, "0", testHour+240)
	x := r.flush()
	want := []ledger.WorkloadEvent{
		{Cluster: "default", Kind: "Job", Namespace: "ns", Name: "j", What: ledger.WorkloadSuspended, At: testHour + 120},
		{Cluster: "default", Kind: "Job", Namespace: "ns", Name: "j", What: ledger.WorkloadResumed, At: testHour + 240},
	}
	if d := cmp.Diff(want, x.Events); d != "" {
		t.Error(d)
	}
	if len(x.Objects) != 1 || x.Objects[0].Attrs["suspended"] != "0" {
		t.Errorf("%+v", x.Objects)
	}
}

func TestQuotas(t *testing.T) {
	r := newReader(t, Options{})
	const labels = `namespace="ns",resourcequota="gpus",`
	r.must("kube_resourcequota", labels+`resource="requests.nvidia.com/gpu",type="hard"`, "16", testHour)
	r.must("kube_resourcequota", labels+`resource="requests.nvidia.com/gpu",type="used"`, "5", testHour)
	r.must("kube_resourcequota", labels+`resource="requests.nvidia.com/mig-1g.10gb",type="hard"`, "7", testHour)
	if why := r.add("kube_resourcequota", labels+`resource="requests.cpu",type="hard"`, "7", testHour); why != "unmapped" {
		t.Error(why)
	}
	x := r.flush()
	want := map[string]string{
		"quota/nvidia_com_gpu": "16", "used/nvidia_com_gpu": "5", "quota/nvidia_com_mig_1g_10gb": "7",
	}
	if len(x.Objects) != 1 || x.Objects[0].Kind != "ResourceQuota" || x.Objects[0].Namespace != "ns" ||
		x.Objects[0].Name != "gpus" {
		t.Fatalf("%+v", x.Objects)
	}
	if d := cmp.Diff(want, x.Objects[0].Attrs); d != "" {
		t.Error(d)
	}
}

func TestLabelsThatBecomeOneName(t *testing.T) {
	m, _ := objectLabelsOf(labelsOf(`label_team_conflict2="b",label_team_conflict1="a",label_app="x",label_app_conflict1="y",label_no_conflict="z"`))
	if m["team"] != "a" || m["app"] != "x" || m["no_conflict"] != "z" {
		t.Errorf("%v", m)
	}
}
