package series

import (
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"
)

// modelLabels name the model in any family of a server: one that runs inside another registers
// its counters with that server's labels (Triton's vLLM), and pipelines rename. A row's own
// labels take precedence.
var modelLabels = []string{
	"model_name", "served_model_name", "model", "model_id", "gen_ai_response_model", "gen_ai_request_model",
}

// rankLabels distinguish ranks of one model that work on the same requests and report the same
// counters, which count once. Data-parallel ranks are not among them, since each serves
// different requests.
var rankLabels = map[string]bool{
	"tp_rank": true, "pp_rank": true, "ep_rank": true, "cp_rank": true,
	"sp_rank": true, "moe_ep_rank": true, "moe_tp_rank": true,
	"attn_tp_rank": true, "attn_cp_rank": true, "dcp_rank": true, "pcp_rank": true,
	"tensor_parallel_rank": true, "pipeline_parallel_rank": true,
	"expert_parallel_rank": true, "context_parallel_rank": true,
}

// targetLabels name the place of a series, or which of two watchers of one target found it, but
// not what it counts.
var targetLabels = map[string]bool{
	"cluster": true, "namespace": true, "pod": true, "container": true, "instance": true, "job": true, "service": true,
	"endpoint": true, "node": true, "prometheus": true, "prometheus_replica": true, "replica": true, "__replica__": true,
	"receive_replica": true, "le": true, "quantile": true, "uid": true,
	"pod_uid": true, "metrics_path": true, "scheme": true,
	"k8s_pod_name": true, "k8s_namespace_name": true,
	"k8s_node_name": true, "k8s_container_name": true, "k8s_pod_uid": true,
	"k8s_cluster_name": true, "service_name": true, "service_instance_id": true, "host_name": true,
	"otel_scope_name": true, "otel_scope_version": true, "otel_scope_schema_url": true,
}

// modelOf returns the model of a series, and the label that names it; a controller has none.
func (l *tableLine) modelOf(ls Labels) (model, by string) {
	if len(l.model) == 0 {
		return "", ""
	}
	for _, names := range [...][]string{l.model, modelLabels} {
		for _, name := range names {
			if model = ls.fold("exported_"+name, name); model != "" {
				return model, name
			}
		}
	}
	return "", ""
}

// engineOf names the engine inside the process, empty for a single one. Labels without a column
// also separate engines: their counts add up.
func (l *tableLine) engineOf(ls Labels) string {
	var parts []string
	for _, e := range l.engine {
		if v := ls.Get(e.label); v != "" && v != e.skip {
			parts = append(parts, v)
		}
	}
	engine := strings.Join(parts, "/")
	if l.layer != LayerController {
		engine += portOf(ls) + l.others(ls)
	}
	return engine
}

// meshPort is where Istio's sidecar repeats the series of its pod's server.
const meshPort = "15020"

// portOf is ":8001", which distinguishes the servers of one pod. All other place labels may
// differ between two watchers of one server. Outside pods the address already identifies the
// process.
func portOf(ls Labels) string {
	address := ls.Get("instance")
	if _, process, ok := podOf(ls); !ok || process == address {
		return ""
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil || host == "" || port == meshPort || strings.Trim(port, "0123456789") != "" {
		return ""
	}
	return ":" + port
}

// splitOf is the labels' part of a counter's name: "/value" for each split label of the series,
// "/@value" for the tenant, and, for controllers that add up series of any label, a hash of all
// others.
func (l *tableLine) splitOf(ls Labels) string {
	var b strings.Builder
	for _, name := range l.split {
		if v := ls.own(name); v != "" {
			b.WriteByte('/')
			splitEscaper.WriteString(&b, v) //nolint:errcheck // a Builder cannot fail
		}
	}
	if tenant := ls.fold(l.tenant...); len(l.tenant) > 0 && tenant != "" {
		b.WriteString("/@")
		splitEscaper.WriteString(&b, tenant) //nolint:errcheck // a Builder cannot fail
	}
	if l.rest && l.layer == LayerController {
		if hash := l.others(ls); hash != "" {
			b.WriteString("/" + hash)
		}
	}
	return b.String()
}

// others is a hash of the labels that no column of the row names, except labels for the place
// of the series or the rank of a model.
func (l *tableLine) others(ls Labels) string {
	var others []string
	_, model := l.modelOf(ls)
	for _, p := range ls {
		name := strings.TrimPrefix(p.Name, "exported_")
		if p.Value == "" || targetLabels[name] && !route(name, p.Value) || rankLabels[name] || l.names(name) ||
			strings.EqualFold(name, model) ||
			name == p.Name && ls.Get("exported_"+name) != "" {
			continue
		}
		others = append(others, name+"\x00"+p.Value)
	}
	if len(others) == 0 {
		return ""
	}
	slices.Sort(others)
	return "#" + strconv.FormatUint(xxh3.HashString(strings.Join(others, "\x01")), 16)
}

// route reports whether a label that usually names a target names a route of the server
// instead: endpoint="/v1/completions".
func route(name, value string) bool {
	return name == "endpoint" && strings.HasPrefix(value, "/")
}

// names reports whether a column of the row names the label.
func (l *tableLine) names(label string) bool {
	return slices.Contains(l.split, label) ||
		slices.ContainsFunc(l.tenant, func(name string) bool { return strings.EqualFold(name, label) }) ||
		slices.ContainsFunc(l.engine, func(e engineLabel) bool { return e.label == label }) ||
		slices.ContainsFunc(l.when, func(w condition) bool { return w.label == label })
}

// splitEscaper keeps the parts of a counter's name unambiguous.
var splitEscaper = strings.NewReplacer("%", "%25", "/", "%2F", "@", "%40")
