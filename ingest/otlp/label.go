package otlp

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	commonv1 "go.opentelemetry.io/proto/otlp/common/v1"

	"gpuledger/ingest/series"
)

// Bounds of labels.
const (
	maxAttributes = 128  // of a point
	maxValue      = 4096 // bytes
	maxNested     = 4    // lists in maps in lists …
)

// targets are attributes of a resource as Prometheus' target labels; for each, the first
// existing one counts.
var targets = []struct {
	label      string
	attributes []string
	scope      scope
}{
	{"cluster", []string{"k8s.cluster.name", "cluster"}, scopeAll},
	{"node", []string{"k8s.node.name", "host.name"}, scopeNode},
	{"namespace", []string{"k8s.namespace.name"}, scopePod},
	{"pod", []string{"k8s.pod.name"}, scopePod},
	{"container", []string{"k8s.container.name"}, scopePod},
	{"job", []string{"service.name"}, scopePod},
	{"instance", []string{"service.instance.id"}, scopePod},
}

// scope is the kind of metrics to which a resource's attributes apply.
type scope uint8

const (
	scopeAll  scope = iota
	scopeNode       // of devices: the resource's pod is the exporter's own
	scopePod        // of the process itself
)

// scopeOf is the scope of a metric. Rows of kube-state-metrics describe other objects than
// their resource.
func scopeOf(name string) scope {
	lower := strings.ToLower(name)
	for prefix, s := range map[string]scope{"kube_": scopeAll, "dcgm_": scopeNode, "hw_": scopeNode,
		"nvidia_smi_":    scopeNode,
		"gpuledger_gpu_": scopeNode, "gpuledger_host_": scopeNode, "system_": scopeNode} {
		if strings.HasPrefix(lower, prefix) {
			return s
		}
	}
	return scopePod
}

// resource holds the target labels of one resource, by scope.
type resource [scopePod + 1]series.Labels

func newResource(attributes []*commonv1.KeyValue) (r resource) {
	for _, t := range targets {
		for _, name := range t.attributes {
			i := slices.IndexFunc(attributes, func(a *commonv1.KeyValue) bool { return a.GetKey() == name })
			if i < 0 {
				continue
			}
			value := text(attributes[i].GetValue(), 0)
			if value == "" {
				continue
			}
			for s := t.scope; s <= scopePod; s++ {
				r[s] = append(r[s], series.Label{Name: t.label, Value: value})
			}
			break
		}
	}
	return r
}

// labels are those of a point: its attributes, and the target's. If both have a name, the
// point's is renamed as in Prometheus, unless the values are equal. Names are sorted. ok is
// false if there are too many.
func labels(target series.Labels, attributes []*commonv1.KeyValue) (ls series.Labels, ok bool) {
	if len(attributes) > maxAttributes {
		return nil, false
	}
	ls = make(series.Labels, 0, len(attributes)+len(target)+1)
	for _, a := range attributes {
		name, value := sanitise(a.GetKey(), false), text(a.GetValue(), 0)
		if name == "" || value == "" || name == "__name__" {
			continue
		}
		if t := target.Get(name); t != "" && t != value {
			name = "exported_" + name
		}
		ls = set(ls, name, value)
	}
	for _, t := range target {
		if !ls.Has(t.Name) {
			ls = append(ls, t)
		}
	}
	slices.SortFunc(ls, func(a, b series.Label) int { return cmp.Compare(a.Name, b.Name) })
	return ls, true
}

// set adds a label; the values of two attributes with the same spelling are joined.
func set(ls series.Labels, name, value string) series.Labels {
	for i := range ls {
		if ls[i].Name == name {
			ls[i].Value = ls[i].Value + ";" + value
			return ls
		}
	}
	return append(ls, series.Label{Name: name, Value: value})
}

// text writes an attribute's value.
func text(v *commonv1.AnyValue, depth int) string {
	out := ""
	switch x := v.GetValue().(type) {
	case *commonv1.AnyValue_StringValue:
		out = x.StringValue
	case *commonv1.AnyValue_BoolValue:
		out = strconv.FormatBool(x.BoolValue)
	case *commonv1.AnyValue_IntValue:
		out = strconv.FormatInt(x.IntValue, 10)
	case *commonv1.AnyValue_DoubleValue:
		out = strconv.FormatFloat(x.DoubleValue, 'g', -1, 64)
	case *commonv1.AnyValue_BytesValue:
		out = base64.StdEncoding.EncodeToString(x.BytesValue[:min(len(x.BytesValue), maxValue)])
	case *commonv1.AnyValue_ArrayValue:
		if depth < maxNested {
			var parts []string
			for _, e := range x.ArrayValue.GetValues()[:min(len(x.ArrayValue.GetValues()), maxAttributes)] {
				parts = append(parts, text(e, depth+1))
			}
			out = "[" + strings.Join(parts, ",") + "]"
		}
	case *commonv1.AnyValue_KvlistValue:
		if depth < maxNested {
			var parts []string
			for _, e := range x.KvlistValue.GetValues()[:min(len(x.KvlistValue.GetValues()), maxAttributes)] {
				parts = append(parts, e.GetKey()+"="+text(e.GetValue(), depth+1))
			}
			out = "{" + strings.Join(parts, ",") + "}"
		}
	}
	if len(out) > maxValue {
		out = strings.ToValidUTF8(out[:maxValue], "")
	}
	return out
}
