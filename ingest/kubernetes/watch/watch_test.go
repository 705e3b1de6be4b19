package watch

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic/fake"
	"k8s.io/client-go/rest"

	"gpuledger/internal/ledger"
)

// recorder keeps the facts of the watch.
type recorder struct {
	mu  sync.Mutex
	all ledger.Telemetry
}

func (r *recorder) out(_ context.Context, t *ledger.Telemetry) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all.Nodes = append(r.all.Nodes, t.Nodes...)
	r.all.Workloads = append(r.all.Workloads, t.Workloads...)
	r.all.Objects = append(r.all.Objects, t.Objects...)
	r.all.Sources = append(r.all.Sources, t.Sources...)
	return nil
}

// clock moves by hand.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.now }

func (c *clock) add(d time.Duration) { c.mu.Lock(); defer c.mu.Unlock(); c.now = c.now.Add(d) }

func pod(name, uid, node string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{
			"name": name, "namespace": "n", "uid": uid, "creationTimestamp": "2026-09-21T08:00:00Z",
			"managedFields": []any{map[string]any{"manager": "x"}},
		},
		"spec": map[string]any{"nodeName": node, "containers": []any{map[string]any{
			"name": "c", "env": []any{map[string]any{"name": "TOKEN", "value": "hush"}},
			"resources": map[string]any{"limits": map[string]any{"nvidia.com/gpu": "1"}},
		}}},
		"status": map[string]any{"phase": "Running"},
	}}
}

func resources() []*metav1.APIResourceList {
	verbs := metav1.Verbs{"list", "watch"}
	return []*metav1.APIResourceList{
		{GroupVersion: "v1", APIResources: []metav1.APIResource{
			{Name: "pods", Kind: "Pod", Namespaced: true, Verbs: verbs},
			{Name: "pods/log", Kind: "Pod", Namespaced: true, Verbs: verbs},
			{Name: "nodes", Kind: "Node", Verbs: verbs}, {Name: "namespaces", Kind: "Namespace", Verbs: verbs},
			{Name: "secrets", Kind: "Secret", Namespaced: true, Verbs: verbs},
		}},
		{
			GroupVersion: "metrics.k8s.io/v1beta1",
			APIResources: []metav1.APIResource{{Name: "pods", Kind: "Pod", Namespaced: true, Verbs: verbs}},
		},
		{
			GroupVersion: "kubeflow.org/v1",
			APIResources: []metav1.APIResource{{Name: "pytorchjobs", Kind: "PyTorchJob", Namespaced: true, Verbs: verbs}},
		},
	}
}

// serve answers what a cluster has like the API server, without the groups that
// are named as failing, and returns a client of it.
func serve(t *testing.T, lists []*metav1.APIResourceList, failing ...string) rest.Interface {
	t.Helper()
	answers, groups := map[string]any{}, &metav1.APIGroupList{}
	for _, list := range lists {
		gv, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			t.Fatal(err)
		}
		if gv.Group == "" {
			answers["/api/"+gv.Version] = list
			continue
		}
		version := metav1.GroupVersionForDiscovery{GroupVersion: list.GroupVersion, Version: gv.Version}
		i := slices.IndexFunc(groups.Groups, func(g metav1.APIGroup) bool { return g.Name == gv.Group })
		if i < 0 {
			i = len(groups.Groups)
			groups.Groups = append(groups.Groups, metav1.APIGroup{Name: gv.Group})
		}
		// The last version is the preferred one, not the first.
		groups.Groups[i].PreferredVersion = version
		groups.Groups[i].Versions = append(groups.Groups[i].Versions, version)
		if !slices.Contains(failing, gv.Group) {
			answers["/apis/"+list.GroupVersion] = list
		}
	}
	answers["/apis"] = groups
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, ok := answers[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(answer); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(server.Close)
	_, api, err := Clients(&rest.Config{Host: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	return api
}

func TestDiscoverLeavesOutForeignKinds(t *testing.T) {
	verbs := metav1.Verbs{"list", "watch"}
	lists := append(resources(),
		&metav1.APIResourceList{GroupVersion: "apps/v1beta1", APIResources: []metav1.APIResource{
			{Name: "deployments", Kind: "Deployment", Verbs: verbs}, {Name: "replicasets", Kind: "ReplicaSet", Verbs: verbs}}},
		&metav1.APIResourceList{GroupVersion: "apps/v1", APIResources: []metav1.APIResource{
			{Name: "deployments", Kind: "Deployment", Verbs: verbs},
			{Name: "statefulsets", Kind: "StatefulSet", Verbs: metav1.Verbs{"list"}}}},
		&metav1.APIResourceList{
			GroupVersion: "ray.io/v1",
			APIResources: []metav1.APIResource{{Name: "rayclusters", Kind: "RayCluster", Verbs: verbs}},
		})
	kinds, err := discover(t.Context(), serve(t, lists, "ray.io"))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, k := range kinds {
		got[k.name] += k.resource.GroupVersion().String()
	}
	want := map[string]string{
		"Pod": "v1", "Node": "v1", "Namespace": "v1", "PyTorchJob": "kubeflow.org/v1",
		"Deployment": "apps/v1", "ReplicaSet": "apps/v1beta1",
	}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if _, err := discover(t.Context(), serve(t, resources()[2:])); err == nil ||
		!strings.Contains(err.Error(), "/api/v1") {
		t.Errorf("a cluster without pods was taken: %v", err)
	}
}

func TestFollowsACluster(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	node := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Node", "metadata": map[string]any{"name": "x"},
		"spec":   map[string]any{"providerID": "aws:///a/i-1"},
		"status": map[string]any{"capacity": map[string]any{"nvidia.com/gpu": "8"}},
	}}
	pods := schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	client := fake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), map[schema.GroupVersionResource]string{
		pods: "PodList", {Version: "v1", Resource: "nodes"}: "NodeList",
		{Version: "v1", Resource: "namespaces"}:                         "NamespaceList",
		{Group: "kubeflow.org", Version: "v1", Resource: "pytorchjobs"}: "PyTorchJobList",
	}, node, pod("a", "u1", "x"))
	rec, now, ticks := &recorder{}, &clock{now: time.Date(2026, 9, 21, 10, 0, 30, 0, time.UTC)}, make(chan time.Time)
	done := make(chan error, 1)
	running, stop := context.WithCancel(ctx)
	go func() {
		done <- Run(running, Options{
			Cluster: "c", Client: client, API: serve(t, resources()),
			Out: rec.out, Now: now.Now, Ticks: ticks, Log: slog.New(slog.DiscardHandler),
		})
	}()
	// until ticks until the watch has emitted enough.
	until := func(what string, enough func(*ledger.Telemetry) bool) {
		t.Helper()
		for {
			rec.mu.Lock()
			ok := enough(&rec.all)
			rec.mu.Unlock()
			if ok {
				return
			}
			select {
			case ticks <- now.Now():
			case <-ctx.Done():
				t.Fatalf("%s did not come: %+v", what, &rec.all)
			}
		}
	}
	until("the list", func(x *ledger.Telemetry) bool { return len(x.Nodes) > 0 && len(x.Workloads) > 0 })

	now.add(2 * time.Minute)
	last := now.Now()
	until("a heartbeat of the pod", func(x *ledger.Telemetry) bool {
		w := x.Workloads[len(x.Workloads)-1]
		return w.UID == "u1" && w.LastSeen.Time().Equal(last)
	})

	created := pod("b", "u2", "x")
	if _, err := client.Resource(pods).Namespace("n").Create(ctx, created, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	until("a new pod", func(x *ledger.Telemetry) bool {
		for _, w := range x.Workloads {
			if w.UID == "u2" && w.Requests["nvidia_com_gpu"] == 1 {
				return true
			}
		}
		return false
	})
	now.add(time.Second)
	gone := now.Now()
	if err := client.Resource(pods).Namespace("n").Delete(ctx, "b", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	until("a deletion", func(x *ledger.Telemetry) bool {
		w := x.Workloads[len(x.Workloads)-1]
		return w.UID == "u2" && w.Deleted.Time().Equal(gone)
	})
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestStripKeepsNoSecrets(t *testing.T) {
	o, err := strip(pod("a", "u1", "x"))
	if err != nil {
		t.Fatal(err)
	}
	containers, _, err := unstructured.NestedSlice(o.(*unstructured.Unstructured).Object, "spec", "containers")
	if err != nil {
		t.Fatal(err)
	}
	c, _ := containers[0].(map[string]any)
	if c["env"] != nil || c["resources"] == nil {
		t.Error(c)
	}
}
