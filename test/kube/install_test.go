package kube

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/release"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/rest"
)

// output runs the program without the environment of the test.
func output(t *testing.T, program string, args ...string) (string, error) {
	t.Helper()
	c := exec.CommandContext(t.Context(), program, args...)
	c.Env = []string{"HOME=" + t.TempDir()}
	out, err := c.CombinedOutput()
	return string(out), err
}

// helmAt is Helm in a namespace of an API server.
func helmAt(t *testing.T, config *rest.Config, namespace string) *action.Configuration {
	t.Helper()
	insecure := true
	flags := genericclioptions.NewConfigFlags(false)
	flags.APIServer, flags.BearerToken, flags.Insecure, flags.Namespace = &config.Host, &config.BearerToken, &insecure,
		&namespace
	var c action.Configuration
	if err := c.Init(flags, namespace, "secret", func(format string, args ...any) { t.Logf(format, args...) }); err != nil {
		t.Fatal(err)
	}
	return &c
}

func install(t *testing.T, c *action.Configuration, namespace string, values map[string]any) *release.Release {
	t.Helper()
	i := action.NewInstall(c)
	i.ReleaseName, i.Namespace, i.Timeout = "ledger", namespace, time.Minute
	r, err := i.RunWithContext(t.Context(), loadChart(t), values)
	if err != nil {
		t.Fatalf("install into %s: %v", namespace, err)
	}
	return r
}

// namespaced creates a namespace that enforces a level of PodSecurity.
func (c *cluster) namespaced(name, level string) {
	c.t.Helper()
	c.apply("apiVersion: v1\nkind: Namespace\nmetadata:\n  name: " + name +
		"\n  labels: {pod-security.kubernetes.io/enforce: " + level + "}")
}

// admits reports whether the API server accepts a pod that an object describes.
func (c *cluster) admits(from *unstructured.Unstructured, namespace, name string) error {
	c.t.Helper()
	o := podFrom(c.t, from, namespace, name)
	if o.Object["spec"].(map[string]any)["runtimeClassName"] != nil { // a class of the cluster
		delete(o.Object["spec"].(map[string]any), "runtimeClassName")
	}
	_, err := c.client.Resource(pods).Namespace(namespace).Create(c.t.Context(), o,
		metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	return err
}

// monitors defines ServiceMonitor with any fields: the operator is not part of the test.
const monitors = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: servicemonitors.monitoring.coreos.com}
spec:
  group: monitoring.coreos.com
  names: {kind: ServiceMonitor, plural: servicemonitors, singular: servicemonitor, listKind: ServiceMonitorList}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}`

// A real API server accepts the objects of each documented set, and in a namespace that enforces the level restricted
// the pods that they describe. It refuses the agents' pods there, for the reasons that the chart states and no others.
func TestTheChartIsAcceptedByAnAPIServer(t *testing.T) {
	config, _ := start(t)
	admin := connect(t, config)
	admin.apply(monitors)
	monitor := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "monitoring.coreos.com/v1", "kind": "ServiceMonitor",
	}}
	admin.resource(monitor) // waits until the API has it
	admin.namespaced("privileged", "privileged")
	for name, values := range sets(t) {
		t.Run(name, func(t *testing.T) {
			admin := connect(t, config)
			namespace := "set-" + name
			admin.namespaced(namespace, "restricted")
			r := install(t, helmAt(t, config, namespace), namespace, values)
			if r.Info.Status != release.StatusDeployed || !strings.Contains(r.Info.Notes, "gpuledger") {
				t.Errorf("the release is %s: %s", r.Info.Status, r.Info.Notes)
			}
			for _, o := range render(t, values) {
				switch {
				case podOf(t, o) == nil:
				case o.GetKind() == "DaemonSet":
					refusedAsStated(t, admin, o, namespace)
				default:
					if err := admin.admits(o, namespace, "try-"+o.GetName()); err != nil {
						t.Errorf("a pod of %s %s: %v", o.GetKind(), o.GetName(), err)
					}
				}
			}
		})
	}
}

func refusedAsStated(t *testing.T, admin *cluster, from *unstructured.Unstructured, namespace string) {
	t.Helper()
	if err := admin.admits(from, "privileged", "try-agent"); err != nil {
		t.Errorf("an agent in a privileged namespace: %v", err)
	}
	err := admin.admits(from, namespace, "try-agent")
	if err == nil {
		t.Fatal("the level restricted accepts the agent, so the chart's words about it are wrong")
	}
	says := err.Error()
	_, list, _ := strings.Cut(says, `violates PodSecurity "restricted:latest": `)
	for _, reason := range strings.Split(list, "), ") {
		known := false
		for _, stated := range statedReasons {
			known = known || strings.Contains(reason, stated)
		}
		if !known {
			t.Errorf("the agent is also refused because of %s", reason)
		}
	}
	if !strings.Contains(says, "hostPID") || !strings.Contains(says, "hostPath") {
		t.Errorf("the agent is refused with %v", err)
	}
}

var (
	pods         = schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	secrets      = schema.GroupVersionResource{Version: "v1", Resource: "secrets"}
	batchJobs    = schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "jobs"}
	deployments  = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	statefulsets = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "statefulsets"}
)

// answer ends jobs as a cluster would, until the test ends: with success as long as fine is true.
func (c *cluster) answer(ctx context.Context, namespace string, fine func() bool) error {
	to := c.client.Resource(batchJobs).Namespace(namespace)
	w, err := to.Watch(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	defer w.Stop()
	for e := range w.ResultChan() {
		job, ok := e.Object.(*unstructured.Unstructured)
		if !ok || e.Type == "DELETED" || job.Object["status"] != nil && len(job.Object["status"].(map[string]any)) > 0 {
			continue
		}
		now := metav1.Now().UTC().Format(time.RFC3339)
		condition := func(kind string) any {
			return map[string]any{"type": kind, "status": "True", "lastTransitionTime": now, "lastProbeTime": now}
		}
		status := map[string]any{"startTime": now, "uncountedTerminatedPods": map[string]any{}}
		if fine() {
			status["succeeded"], status["completionTime"] = int64(1), now
			status["conditions"] = []any{condition("SuccessCriteriaMet"), condition("Complete")}
		} else {
			status["failed"], status["conditions"] = int64(1), []any{condition("FailureTarget"), condition("Failed")}
		}
		job.Object["status"] = status
		if _, err := to.UpdateStatus(ctx, job, metav1.UpdateOptions{}); err != nil {
			return err
		}
	}
	return nil
}

// An upgrade keeps the database and its password. If `upgrade check` finds a blocker, nothing changes. What is
// uninstalled and installed again under the same name finds its password.
func TestAnUpgradeKeepsTheData(t *testing.T) {
	config, _ := start(t)
	admin := connect(t, config)
	const namespace = "gpuledger"
	admin.namespaced(namespace, "restricted")
	helm := helmAt(t, config, namespace)
	install(t, helm, namespace, map[string]any{})
	at := func(resource schema.GroupVersionResource, name string) *unstructured.Unstructured {
		t.Helper()
		o, err := admin.client.Resource(resource).Namespace(namespace).Get(t.Context(), name, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	const server, database = "ledger-gpuledger", "ledger-gpuledger-postgresql"
	password := func() string { return path[string](t, at(secrets, database).Object, "data", "password") }
	image := func() string {
		containers := path[[]any](t, at(deployments, server).Object, "spec", "template", "spec", "containers")
		return containers[0].(map[string]any)["image"].(string)
	}
	before, set := password(), at(statefulsets, database).GetUID()
	if len(before) < 40 { // 32 characters in base64
		t.Fatalf("the password has %d characters in base64", len(before))
	}

	var passes atomic.Bool
	passes.Store(true)
	ctx, cancel := context.WithCancel(t.Context())
	answered := make(chan error, 1)
	go func() { answered <- admin.answer(ctx, namespace, passes.Load) }()
	upgrade := func(tag string) error {
		u := action.NewUpgrade(helm)
		u.Namespace, u.Timeout = namespace, time.Minute
		_, err := u.RunWithContext(t.Context(), "ledger", loadChart(t),
			parsed(t, fmt.Sprintf("{image: {tag: %q}, config: {allocate_every: 10m}, workers: {replicas: 1}}", tag)))
		return err
	}
	if err := upgrade("2.0.0"); err != nil {
		t.Fatal(err)
	}
	if image() != "gpuledger:2.0.0" || password() != before || at(statefulsets, database).GetUID() != set {
		t.Errorf("after the upgrade the server is %s; same password: %t", image(), password() == before)
	}
	passes.Store(false)
	if err := upgrade("3.0.0"); err == nil || !strings.Contains(err.Error(), "pre-upgrade hooks failed") {
		t.Errorf("an upgrade with a blocker: %v", err)
	}
	if image() != "gpuledger:2.0.0" {
		t.Errorf("the refused upgrade changed the server to %s", image())
	}
	at(batchJobs, server+"-upgrade-check") // stays, for its log
	cancel()
	if err := <-answered; err != nil {
		t.Error(err)
	}

	if _, err := action.NewUninstall(helm).Run("ledger"); err != nil {
		t.Fatal(err)
	}
	install(t, helm, namespace, map[string]any{})
	if password() != before {
		t.Error("the new installation has another password than the data that was kept")
	}
}
