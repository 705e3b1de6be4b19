package kube

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
	"helm.sh/helm/v3/pkg/release"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// chartFolder has the chart, and the sets of values that its README documents.
const chartFolder = "../../deploy/helm/gpuledger"

func loadChart(t *testing.T) *chart.Chart {
	t.Helper()
	c, err := loader.Load(chartFolder)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// sets are the documented sets of values by name, and one with everything that the chart can make.
func sets(t *testing.T) map[string]map[string]any {
	t.Helper()
	names, err := filepath.Glob(chartFolder + "/values/*.yaml")
	if err != nil || len(names) < 4 {
		t.Fatalf("%d sets of values: %v", len(names), err)
	}
	out := map[string]map[string]any{"default": {}}
	for _, name := range names {
		values, err := chartutil.ReadValuesFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimSuffix(filepath.Base(name), ".yaml")] = values
	}
	out["everything"] = parsed(t, `
server:
  hosts: [gpu.example.com]
  tls: {secretName: gpu-tls}
  env: [{name: MIMIR_TOKEN, value: x}]
  envFrom: [{secretRef: {name: more}}]
  volumes: [{name: prices, configMap: {name: prices}}]
  volumeMounts: [{name: prices, mountPath: /etc/prices}]
  podAnnotations: {example.com/a: b}
  service: {type: LoadBalancer, port: 443, annotations: {example.com/internal: "true"}}
workers: {replicas: 2, slots: 3, nodeSelector: {pool: cpu}}
agent: {enabled: true, cluster: train-1, capabilities: [SYS_ADMIN], runtimeClassName: nvidia}
watch: {enabled: true, cluster: train-1}
imagePullSecrets: [{name: registry}]
ingress: {enabled: true, hosts: [gpu.example.com], annotations: {a: b}, tlsSecretName: t}
serviceMonitor: {enabled: true, labels: {release: prometheus}, tlsConfig: {serverName: gpu.example.com}}
networkPolicy:
  enabled: true
  from: [{namespaceSelector: {}}]
  egress: [{to: [{ipBlock: {cidr: 10.0.0.0/8}}]}]
postgresql: {storage: {className: fast}, nodeSelector: {disk: ssd}}
config:
  allocate_every: 7m
  scrape: [{name: gpus, targets: ["http://10.0.0.7:9400/metrics"], labels: {cluster: train-1}}]
  kubernetes: [{cluster: other, kubeconfig: /etc/other/config}]
  operators: [{name: ada, token_env: ADA, may: [policy]}]
`)
	return out
}

func parsed(t *testing.T, text string) map[string]any {
	t.Helper()
	values, err := chartutil.ReadValues([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return values
}

// render is `helm template` of the chart: its objects, hooks included.
func render(t *testing.T, values map[string]any) []*unstructured.Unstructured {
	t.Helper()
	r, err := template(loadChart(t), values)
	if err != nil {
		t.Fatal(err)
	}
	all := objectsOf(t, r.Manifest)
	for _, hook := range r.Hooks {
		all = append(all, objectsOf(t, hook.Manifest)...)
	}
	return all
}

func template(c *chart.Chart, values map[string]any) (*release.Release, error) {
	install := action.NewInstall(new(action.Configuration))
	install.ReleaseName, install.Namespace = "ledger", "gpuledger"
	install.DryRun, install.ClientOnly, install.IncludeCRDs = true, true, true
	return install.Run(c, values)
}

func objectsOf(t *testing.T, manifest string) (out []*unstructured.Unstructured) {
	t.Helper()
	for document := range strings.SplitSeq(manifest, "\n---\n") {
		var o unstructured.Unstructured
		if err := yaml.Unmarshal([]byte(document), &o.Object); err != nil {
			t.Fatalf("%v in\n%s", err, document)
		}
		if o.Object != nil {
			out = append(out, &o)
		}
	}
	return out
}

// path reads a value of an object; nil if it is absent.
func path[T any](t *testing.T, o map[string]any, fields ...string) (v T) {
	t.Helper()
	got, found, err := unstructured.NestedFieldNoCopy(o, fields...)
	if err != nil {
		t.Fatal(err)
	}
	if !found || got == nil {
		return v
	}
	v, ok := got.(T)
	if !ok {
		t.Fatalf("%v is %T", fields, got)
	}
	return v
}

// The strictest lint of Helm finds nothing in any documented set.
func TestTheChartIsLinted(t *testing.T) {
	for name, values := range sets(t) {
		for _, m := range lint.All(chartFolder, values, "gpuledger", true).Messages {
			if m.Severity >= support.WarningSev {
				t.Errorf("%s: %v", name, m)
			}
		}
	}
}

// The schema refuses unknown names, wrong types and rights to write; the templates refuse contradictions.
func TestWrongValuesAreRefused(t *testing.T) {
	for values, says := range map[string]string{
		`agnet: {enabled: true}`:              "agnet",
		`server: {replicas: 2}`:               "replicas",
		`workers: {replicas: many}`:           "replicas",
		`workers: {slots: 0}`:                 "slots",
		`image: {digest: "sha256:12"}`:        "digest",
		`server: {service: {port: 70000}}`:    "port",
		`agent: {capabilities: [SYS_MODULE]}`: "capabilities",
		`agent: {server: gpu.example.com}`:    "server",
		`watch: {rules: [{apiGroups: [""], resources: [secrets], verbs: [delete]}]}`: "verbs",
		`watch: {rules: [{apiGroups: [""], resources: ["*"], verbs: [get]}]}`:        "resources",
		`ingress: {enabled: true}`:                                                     "hosts",
		`watch: {enabled: true}`:                                                       "watch.cluster is empty",
		`{database: {secretName: mine}}`:                                               "postgresql.enabled=false",
		`postgresql: {enabled: false}`:                                                 "no database",
		`{server: {enabled: false}, agent: {enabled: true}}`:                           "agent.server is empty",
		`server: {proxies: [proxy.example.com]}`:                                       "proxies",
		`image: {tag: 1234567}`:                                                        "tag",
		`clusterDomain: cluster.local.`:                                                "clusterDomain",
		`networkPolicy: {enabled: "yes"}`:                                              "enabled",
		`{postgresql: {storage: {size: lots}}, serviceMonitor: {interval: sometimes}}`: "interval",
	} {
		_, err := template(loadChart(t), parsed(t, values))
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want an error about %s", values, err, says)
		}
	}
}

// Each value of values.yaml is one that the schema knows, and the other way round, so that neither goes stale.
func TestTheSchemaDescribesEveryValue(t *testing.T) {
	c := loadChart(t)
	var schema map[string]any
	if err := json.Unmarshal(c.Schema, &schema); err != nil {
		t.Fatal(err)
	}
	var compare func(at string, values map[string]any, schema map[string]any)
	compare = func(at string, values, schema map[string]any) {
		known, described := schema["properties"].(map[string]any)
		if !described {
			return // a free map
		}
		for key, value := range values {
			of, ok := known[key].(map[string]any)
			if !ok {
				t.Errorf("%s%s is no property in values.schema.json", at, key)
			} else if inner, ok := value.(map[string]any); ok {
				compare(at+key+".", inner, of)
			}
		}
		for key := range known {
			if _, there := values[key]; !there && key != "global" && !strings.HasPrefix(at, "server.resources") &&
				!strings.HasSuffix(at, "resources.") {
				t.Errorf("%s%s is in values.schema.json and not in values.yaml", at, key)
			}
		}
	}
	compare("", c.Values, schema)
}

// A pod gets a token of the API only with the watch, and then the rights of watch.rules and no others.
func TestRightsAreThoseOfTheValues(t *testing.T) {
	for name, values := range sets(t) {
		merged, err := chartutil.CoalesceValues(loadChart(t), values)
		if err != nil {
			t.Fatal(err)
		}
		watches := path[bool](t, merged, "watch", "enabled") && path[bool](t, merged, "server", "enabled")
		for _, o := range render(t, values) {
			switch o.GetKind() {
			case "Role", "RoleBinding":
				t.Errorf("%s: there is a %s", name, o.GetKind())
			case "ClusterRole":
				got, want := path[[]any](t, o.Object, "rules"), path[[]any](t, merged, "watch", "rules")
				if !watches || !reflect.DeepEqual(got, want) {
					t.Errorf("%s: the rules are %v", name, got)
				}
			case "ClusterRoleBinding":
				if !watches {
					t.Errorf("%s: there is a ClusterRoleBinding without a watch", name)
				}
			}
			if pod := podOf(t, o); pod != nil {
				server := o.GetKind() == "Deployment" && !strings.HasSuffix(o.GetName(), "-worker")
				if got := path[bool](t, pod, "spec", "automountServiceAccountToken"); got != (watches && server) {
					t.Errorf("%s: %s %s gets a token: %t", name, o.GetKind(), o.GetName(), got)
				}
			}
		}
	}
}

// containerOf is the first container of the object of a kind and a name.
func containerOf(t *testing.T, values map[string]any, kind, name string) map[string]any {
	t.Helper()
	for _, o := range render(t, values) {
		if pod := podOf(t, o); pod != nil && o.GetKind() == kind && o.GetName() == name {
			return path[[]any](t, pod, "spec", "containers")[0].(map[string]any)
		}
	}
	t.Fatalf("there is no %s %s", kind, name)
	return nil
}

// One tag is that of all images, unless the agents name theirs.
func TestTheTagIsThatOfAllImages(t *testing.T) {
	for values, want := range map[string]map[string]string{
		`{image: {tag: "1234567"}, workers: {replicas: 1}, agent: {enabled: true}}`: {
			"Deployment ledger-gpuledger": "gpuledger:1234567", "Deployment ledger-gpuledger-worker": "gpuledger:1234567",
			"Job ledger-gpuledger-upgrade-check": "gpuledger:1234567",
			"DaemonSet ledger-gpuledger-agent":   "gpuledger-agent:1234567"},
		`{image: {tag: v2}, agent: {enabled: true, image: {tag: v1}}}`: {
			"Deployment ledger-gpuledger": "gpuledger:v2", "DaemonSet ledger-gpuledger-agent": "gpuledger-agent:v1"},
		`agent: {enabled: true}`: {
			"DaemonSet ledger-gpuledger-agent": "gpuledger-agent:" + loadChart(t).Metadata.AppVersion},
	} {
		for object, image := range want {
			kind, name, _ := strings.Cut(object, " ")
			if got := containerOf(t, parsed(t, values), kind, name)["image"]; got != image {
				t.Errorf("%s: %s runs %v, want %s", values, object, got, image)
			}
		}
	}
}

// The server answers to every name of its Service, up to the full one.
func TestTheServerKnowsTheNamesOfItsService(t *testing.T) {
	for values, full := range map[string]string{
		`{}`:                        "ledger-gpuledger.gpuledger.svc.cluster.local",
		`clusterDomain: gpu.intern`: "ledger-gpuledger.gpuledger.svc.gpu.intern",
	} {
		args := path[[]any](t, containerOf(t, parsed(t, values), "Deployment", "ledger-gpuledger"), "args")
		short := "ledger-gpuledger"
		for _, name := range []string{short, short + ".gpuledger", short + ".gpuledger.svc", full} {
			if !slices.Contains(args, any("--host="+name)) {
				t.Errorf("%s: no %s in %v", values, name, args)
			}
		}
	}
}

// Whichever release has the agents, its notes say how to create their token.
func TestTheNotesSayHowAgentsGetAToken(t *testing.T) {
	all := sets(t)
	for _, name := range []string{"everything", "agents"} {
		r, err := template(loadChart(t), all[name])
		if err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{
			"token create --name agents --role ingest", "create secret generic gpuledger-agent "} {
			if !strings.Contains(r.Info.Notes, command) {
				t.Errorf("%s: the notes lack %q:\n%s", name, command, r.Info.Notes)
			}
		}
	}
}

// podOf is the template of the pods that an object describes; nil: it describes none.
func podOf(t *testing.T, o *unstructured.Unstructured) map[string]any {
	t.Helper()
	return path[map[string]any](t, o.Object, "spec", "template")
}

// program is the path of gpuledger.
func program(t *testing.T) string {
	t.Helper()
	path := os.Getenv("GPULEDGER_PROGRAM")
	if path == "" {
		t.Skip("no program: run .ci/test-kube, which builds it")
	}
	return path
}

// configurations are the files of the ConfigMap of a set.
func configurations(t *testing.T, values map[string]any) map[string]any {
	t.Helper()
	for _, o := range render(t, values) {
		if o.GetKind() == "ConfigMap" {
			return path[map[string]any](t, o.Object, "data")
		}
	}
	return nil
}

// The program finds no fault in the configuration of any set, for the server and for workers.
func TestTheProgramReadsTheConfiguration(t *testing.T) {
	gpuledger, seen := program(t), 0
	for name, values := range sets(t) {
		for file, text := range configurations(t, values) {
			at := filepath.Join(t.TempDir(), file)
			if err := os.WriteFile(at, []byte(text.(string)), 0o600); err != nil {
				t.Fatal(err)
			}
			seen++
			if out, err := output(t, gpuledger, "--config", at, "config", "check"); err != nil {
				t.Errorf("%s: %s: %v: %s in\n%s", name, file, err, out, text)
			}
		}
	}
	if seen < 6 {
		t.Errorf("only %d configurations", seen)
	}
}

// The server watches its own cluster in addition to those of the configuration. Workers take no telemetry and sign no
// user in; everything else is as for the server.
func TestConfigurationsOfServerAndWorkers(t *testing.T) {
	files := configurations(t, sets(t)["everything"])
	server, worker := parsed(t, files["gpuledger.yaml"].(string)), parsed(t, files["worker.yaml"].(string))
	if got, want := server["kubernetes"], []any{
		map[string]any{"cluster": "other", "kubeconfig": "/etc/other/config"}, map[string]any{"cluster": "train-1"},
	}; !reflect.DeepEqual(got, want) {
		t.Errorf("the server watches %v", got)
	}
	for _, key := range []string{"scrape", "kubernetes", "operators"} {
		if worker[key] != nil || server[key] == nil {
			t.Errorf("%s: workers have %v, the server has %v", key, worker[key], server[key])
		}
	}
	if path[float64](t, worker, "allocation", "workers") != 3 || worker["allocate_every"] != "7m" {
		t.Errorf("workers have %v", worker)
	}
}

// The program accepts the arguments of each container that runs it.
func TestTheProgramReadsTheArguments(t *testing.T) {
	gpuledger, seen := program(t), 0
	for name, values := range sets(t) {
		for _, o := range render(t, values) {
			pod := podOf(t, o)
			if pod == nil || strings.HasSuffix(o.GetName(), "-postgresql") {
				continue
			}
			for _, container := range path[[]any](t, pod, "spec", "containers") {
				var args []string
				for _, arg := range path[[]any](t, container.(map[string]any), "args") {
					args = append(args, arg.(string))
				}
				seen++
				if out, err := output(t, gpuledger, append(args, "--help")...); err != nil {
					t.Errorf("%s: %s %s: %v: %v\n%s", name, o.GetKind(), o.GetName(), args, err, out)
				}
			}
		}
	}
	if seen < 10 {
		t.Errorf("only %d containers run the program", seen)
	}
}
