package kube

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"

	"gpuledger/ingest/kubernetes/watch"
	"gpuledger/internal/ledger"
)

// cluster applies objects as an administrator.
type cluster struct {
	t      *testing.T
	client dynamic.Interface
	asked  discovery.CachedDiscoveryInterface
	mapper *restmapper.DeferredDiscoveryRESTMapper
}

func connect(t *testing.T, config *rest.Config) *cluster {
	t.Helper()
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	asked, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	cached := memory.NewMemCacheClient(asked)
	return &cluster{t, client, cached, restmapper.NewDeferredDiscoveryRESTMapper(cached)}
}

// apply creates the objects of a YAML text; their status is written after it.
func (c *cluster) apply(text string) {
	c.t.Helper()
	for _, document := range strings.Split(text, "\n---\n") {
		var o unstructured.Unstructured
		if err := yaml.Unmarshal([]byte(document), &o.Object); err != nil {
			c.t.Fatal(err)
		}
		if o.Object == nil {
			continue
		}
		c.create(&o)
	}
}

// create creates an object; its status is written after it.
func (c *cluster) create(o *unstructured.Unstructured) {
	c.t.Helper()
	status := o.Object["status"]
	to := c.resource(o)
	made, err := to.Create(c.t.Context(), o, metav1.CreateOptions{})
	if err != nil {
		c.t.Fatalf("%s %s: %v", o.GetKind(), o.GetName(), err)
	}
	if status == nil {
		return
	}
	made.Object["status"] = status
	if _, err := to.UpdateStatus(c.t.Context(), made, metav1.UpdateOptions{}); err != nil {
		c.t.Fatalf("status of %s %s: %v", o.GetKind(), o.GetName(), err)
	}
}

// resource finds the API resource of an object; a kind that was just defined appears after a moment.
func (c *cluster) resource(o *unstructured.Unstructured) dynamic.ResourceInterface {
	c.t.Helper()
	gvk := o.GroupVersionKind()
	ctx, cancel := context.WithTimeout(c.t.Context(), time.Minute)
	defer cancel()
	for {
		m, err := c.mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
		if err == nil {
			if m.Scope.Name() == meta.RESTScopeNameNamespace {
				return c.client.Resource(m.Resource).Namespace(o.GetNamespace())
			}
			return c.client.Resource(m.Resource)
		}
		select {
		case <-ctx.Done():
			c.t.Fatalf("%s: %v", gvk, err)
		case <-time.After(100 * time.Millisecond):
			c.asked.Invalidate()
			c.mapper.Reset()
		}
	}
}

// seen keeps the watch's output.
type seen struct {
	mu  sync.Mutex
	all ledger.Telemetry
}

func (s *seen) out(_ context.Context, t *ledger.Telemetry) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all.Nodes = append(s.all.Nodes, t.Nodes...)
	s.all.Workloads = append(s.all.Workloads, t.Workloads...)
	s.all.Objects = append(s.all.Objects, t.Objects...)
	s.all.Placements = append(s.all.Placements, t.Placements...)
	s.all.Sources = append(s.all.Sources, t.Sources...)
	return nil
}

// until waits until the output is enough.
func (s *seen) until(t *testing.T, what string, enough func(*ledger.Telemetry) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		s.mu.Lock()
		ok := enough(&s.all)
		s.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("%s did not come", what)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// last is the newest fact about a workload.
func last(x *ledger.Telemetry, name string) *ledger.WorkloadFact {
	for i := len(x.Workloads) - 1; i >= 0; i-- {
		if x.Workloads[i].Name == name {
			return &x.Workloads[i]
		}
	}
	return &ledger.WorkloadFact{}
}

const node = `apiVersion: v1
kind: Node
metadata: {name: gpu-1, labels: {node.kubernetes.io/instance-type: p4d.24xlarge, eks.amazonaws.com/capacityType: SPOT}}
spec: {providerID: "aws:///us-east-1a/i-0abc"}
status:
  capacity: {cpu: "96", nvidia.com/gpu: "8"}
  conditions: [{type: Ready, status: "True"}]
---
apiVersion: v1
kind: Namespace
metadata: {name: research, labels: {team: vision}}`

const jobs = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: pytorchjobs.kubeflow.org}
spec:
  group: kubeflow.org
  scope: Namespaced
  names: {kind: PyTorchJob, plural: pytorchjobs, singular: pytorchjob, listKind: PyTorchJobList}
  versions:
    - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
---
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: llm, namespace: research, labels: {project: p1}}`

func pod(name, owner string) string {
	return fmt.Sprintf(`apiVersion: v1
kind: Pod
metadata:
  name: %s
  namespace: research
  labels: {training.kubeflow.org/job-name: llm, training.kubeflow.org/replica-index: "0"}
  ownerReferences: [{apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: llm, uid: %s, controller: true}]
spec:
  nodeName: gpu-1
  containers: [{name: main, image: x, env: [{name: TOKEN, value: hush}], resources: {limits: {nvidia.com/gpu: "8"}}}]
status:
  phase: Running
  conditions: [{type: PodScheduled, status: "True", lastTransitionTime: "2026-09-21T08:00:05Z"}]
  containerStatuses: [{name: main, image: x, imageID: x, ready: true, restartCount: 0, state: {running: {startedAt: "2026-09-21T08:00:10Z"}}}]`, name, owner)
}

func TestWatchOfARealServer(t *testing.T) {
	adminConfig, readerConfig := start(t)
	admin := connect(t, adminConfig)
	admin.apply(node)
	admin.apply(jobs)
	grant(t, admin)

	got := &seen{}
	reader, api, err := watch.Clients(readerConfig)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ticks := time.NewTicker(100 * time.Millisecond)
	defer ticks.Stop()
	done := make(chan error, 1)
	go func() {
		done <- watch.Run(ctx, watch.Options{
			Cluster: "c", Client: reader, API: api, Out: got.out, Now: time.Now,
			Ticks: ticks.C, Log: slog.New(slog.NewTextHandler(os.Stderr, nil)),
		})
	}()
	got.until(t, "the node", func(x *ledger.Telemetry) bool {
		return len(x.Nodes) > 0 && x.Nodes[0].Capacity["nvidia_com_gpu"] == 8 &&
			x.Nodes[0].ProviderID == "aws:///us-east-1a/i-0abc"
	})
	got.until(t, "the job and its namespace", func(x *ledger.Telemetry) bool {
		kinds := map[string]string{}
		for _, o := range x.Objects {
			kinds[o.Kind+"/"+o.Name] = o.Labels["team"] + o.Labels["project"]
		}
		return kinds["PyTorchJob/llm"] == "p1" && kinds["Namespace/research"] == "vision"
	})
	got.until(t, "a heartbeat", func(x *ledger.Telemetry) bool { return len(x.Sources) > 0 })

	owner, err := admin.client.Resource(schema.GroupVersionResource{
		Group: "kubeflow.org", Version: "v1", Resource: "pytorchjobs",
	}).Namespace("research").Get(ctx, "llm", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	admin.apply(pod("llm-worker-0", string(owner.GetUID())))
	got.until(t, "the pod on its node", func(x *ledger.Telemetry) bool {
		w := last(x, "llm-worker-0")
		return w.Node == "gpu-1" && w.Requests["nvidia_com_gpu"] == 8 && w.Scheduled.String() == "2026-09-21T08:00:05Z" &&
			w.OwnerKind == "PyTorchJob" && w.Phase == "Running"
	})

	failed := `{"status":{"phase":"Failed","reason":"Evicted","containerStatuses":[{"name":"main","image":"x","imageID":"x","ready":false,"restartCount":0,
		"state":{"terminated":{"exitCode":137,"reason":"OOMKilled","finishedAt":"2026-09-21T09:00:00Z"}}}]}}`
	if _, err := admin.client.Resource(pods).Namespace("research").Patch(ctx, "llm-worker-0", types.MergePatchType,
		[]byte(failed), metav1.PatchOptions{}, "status"); err != nil {
		t.Fatal(err)
	}
	got.until(t, "the end of the pod", func(x *ledger.Telemetry) bool {
		w := last(x, "llm-worker-0")
		return w.Phase == "Failed" && w.StatusReason == "Evicted" && w.TerminatedReason == "OOMKilled" &&
			w.Completed.String() == "2026-09-21T09:00:00Z"
	})
	first := last(&got.all, "llm-worker-0").UID
	none := int64(0)
	if err := admin.client.Resource(pods).Namespace("research").Delete(ctx, "llm-worker-0",
		metav1.DeleteOptions{GracePeriodSeconds: &none}); err != nil {
		t.Fatal(err)
	}
	got.until(t, "its deletion", func(x *ledger.Telemetry) bool { return last(x, "llm-worker-0").Deleted > 0 })
	// The operator recreates it under the same name: another workload.
	admin.apply(pod("llm-worker-0", string(owner.GetUID())))
	got.until(t, "another pod of that name", func(x *ledger.Telemetry) bool {
		return last(x, "llm-worker-0").UID != first
	})
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// grant gives the reader the rights that the chart gives a server that watches its cluster.
func grant(t *testing.T, admin *cluster) {
	t.Helper()
	for _, o := range render(t, parsed(t, "watch: {enabled: true, cluster: test}")) {
		if o.GetKind() != "ClusterRole" {
			continue
		}
		admin.create(o)
		admin.apply(`apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: reader}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ` + o.GetName() + `}
subjects: [{kind: User, name: reader, apiGroup: rbac.authorization.k8s.io}]`)
		return
	}
	t.Fatal("the chart has no ClusterRole for the watch")
}
