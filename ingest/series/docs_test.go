package series

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite docs/reference/series.md")

// TestDocumentation compares docs/reference/series.md with the tables.
func TestDocumentation(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "reference", "series.md")
	got := documentation(t)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := gocmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); d != "" {
		t.Errorf("docs/reference/series.md differs from the tables; run go test ./ingest/series -update\n%s", d)
	}
}

// documented are the names that the documentation lists.
type documented map[string]bool

func documentation(t *testing.T) string {
	t.Helper()
	seen := documented{}
	var b strings.Builder
	b.WriteString(`# Series that are read

This page lists every metric name that gpuledger reads, its unit, and how it is stored. It is generated from the tables in
` + "`ingest/series`" + ` (` + "`go test ./ingest/series -update`" + `), and a test compares the two. The names are the same for remote_write,
range queries, scrapes, OTLP and files. Any other name is ignored and counted.

Units follow from the name alone. A name is recognised in every spelling that its exporter or the translation to Prometheus
can give it: counters with ` + "`_total`" + ` or without, with the unit of the metric appended (` + "`_seconds`, `_ratio`, `_bytes`, `_watts`, `_joules`," + `
` + "`_celsius`, `_percent`, `_token`" + ` …; never another unit, as values are not converted on the way), with ` + "`_`" + ` for colons and dots,
as a quoted UTF-8 name, or escaped (` + "`U__vllm_3a_…`, `_dot_`" + `). The same holds for names of labels. If such a spelling is also listed
in these tables as a separate name, the table's meaning applies. Label names are compared without regard to case; of two labels with
one meaning, the first non-empty one counts. ` + "`exported_x`" + ` takes precedence over ` + "`x`" + `.

## Devices

- Device: ` + "`UUID`" + `, with or without the prefix ` + "`GPU-`" + `.
- Machine: ` + "`Hostname`" + ` unless it is the exporter's own pod, else ` + "`node`" + `, ` + "`kubernetes_node`" + `, ` + "`nodename`" + `, else the host
  of ` + "`instance`" + `, else the node configured for the source. The name of an exporter's pod or an address is replaced by the node
  that ` + "`kube_pod_info` or `kube_node_info`" + ` of the same source give for it.
- MIG instance: ` + "`GPU_I_ID`" + ` and ` + "`GPU_I_PROFILE`" + `.
- "Whole device": on the row of a MIG instance, the value belongs to the parent device. It is stored once, for the device, and the
  row also shows that the instance existed.
- Of several rows of one device, instance and minute, the newest counts; at equal times, the largest.

| metric | unit | signal | whole device |
|---|---|---|---|
`)
	for _, table := range [][]deviceMetric{deviceMetrics, agentMetrics, smiMetrics, otelMetrics} {
		for _, m := range table {
			fmt.Fprintf(&b, "| `%s` | %s | `%s` | %s |\n", m.name, unitOf(m), m.signal, yes(m.whole))
			seen[m.name] = true
			seen[m.name+"_total"] = true
		}
	}
	seen[ambiguousUtil] = true
	fmt.Fprintf(&b, "| `%s` | percent or ratio: see below | `gpu_util_ppm` | yes |\n", ambiguousUtil)
	b.WriteString("| `nvidia_smi_gpu_info`, `nvidia_smi_index` | – | index and model of the device, `seen` | yes |\n" +
		"| `nvidia_smi_mig_info` | – | profile of the instance, `seen` | |\n" +
		"| `gpuledger_gpu_process_memory_bytes`, `gpuledger_gpu_process_sm_ratio` | – | the process on the device: `pod_uid` " +
		"→ placement, `hpc_job` → hold evidence, `pid` → a separate workload | |\n")
	for _, n := range []string{
		"nvidia_smi_gpu_info", "nvidia_smi_index", "nvidia_smi_mig_info",
		"gpuledger_gpu_process_memory_bytes", "gpuledger_gpu_process_sm_ratio",
	} {
		seen[n] = true
	}
	b.WriteString(`
` + "`" + ambiguousUtil + "`" + ` counts to 100 in DCGM 4.6, and to 1 since 4.7 (dcgm-exporter 4.9). The source's setting decides, else the label
` + "`DCGM_FI_SYSTEM_DRIVER_VERSION`" + `, which came with 4.9; without either, the samples are refused. ` + "`" + rescaledUtil + "`" + ` is percent. The values do not show
whether a pipeline rescales it to 0..1 under the same name, so configure that for the source.

These values count as absent, never as 0: NaN, stale markers, and DCGM's sentinels (2147483632–2147483635, 2^47 and above for
quantities that cannot be so large, 9223372036854775792–…795). Infinite values are refused.

Link traffic (PCIe, NVLink) is rounded to the nearest MiB per second, and power to the nearest 100 mW; ties away from zero. The stored
units stay bytes per second and milliwatts. Energy and all other values are exact.

## Hosts

Stored as device ` + "`host`" + ` of the node. An address does not name a node: keep the label ` + "`node`" + ` or ` + "`nodename`" + `.

| metric | signal | only |
|---|---|---|
`)
	for _, m := range hostMetrics {
		only := ""
		if m.only[0] != "" {
			only = "`" + m.only[0] + `="` + m.only[1] + "\"`"
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s |\n", m.name, m.signal, only)
		seen[m.name] = true
	}
	b.WriteString(`
## Kubernetes (kube-state-metrics)

| metric | stored as |
|---|---|
`)
	for _, name := range slices.Sorted(maps.Keys(podMetrics)) {
		fmt.Fprintf(&b, "| `%s` | pod: %s |\n", name, podWords[podMetrics[name].field])
		seen[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(restartWords)) {
		if podMetrics[name].text == "" {
			fmt.Fprintf(&b, "| `%s` | pod: %s |\n", name, restartWords[name])
		}
		seen[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(nodeMetrics)) {
		fmt.Fprintf(&b, "| `%s` | node: %s |\n", name, nodeWords[nodeMetrics[name]])
		seen[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(objectMetrics)) {
		m := objectMetrics[name]
		what := map[objectField]string{objectOwner: "owner", objectCreated: "creation time", objectLabels: "labels"}[m.field]
		if what == "" {
			what = "attribute `" + m.attr + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s: %s |\n", name, m.kind, what)
		seen[name] = true
	}
	b.WriteString("| `kube_job_status_suspended` | Job: attribute `suspended`; events `suspended`, `resumed` when it " +
		"changes |\n" +
		"| `kube_resourcequota` | ResourceQuota: attributes `quota/<resource>`, `used/<resource>` of device requests |\n")
	b.WriteString("| `kube_node_spec_taint` | NodeTaints of the node: attributes `taint/<key>`, the value is the " +
		"effect |\n")
	b.WriteString("| `kube_pod_nodeselectors` | PodSelectors of the pod's UID: attribute `nodeSelector`, the keys of " +
		"its `nodeselector_…` labels |\n")
	seen["kube_pod_nodeselectors"] = true
	seen["kube_job_status_suspended"], seen["kube_resourcequota"], seen["kube_node_spec_taint"] = true, true, true
	b.WriteString(`
Requests are effective requests (rule 4.2): containers and sidecars together, or the largest init container if that is more. Without a
request, the limit counts. Names of resources stay as kube-state-metrics writes them: the original of ` + "`nvidia_com_mig_1g_10gb_me`" + `
cannot be recovered from it, so profiles are compared in that form. Conflicting labels (` + "`label_x_conflict1`, `…2`" + `) keep their names,
and the first of them is also ` + "`x`" + `. Restarts count for containers that request devices. If kube-state-metrics does not report when a
container ended, the first sample with a higher count is the time.

## Checkpoints

`)
	for _, n := range checkpointMetrics {
		fmt.Fprintf(&b, "- `%s{namespace,pod}`: unix seconds of the last checkpoint\n", n)
		seen[n] = true
	}
	for _, n := range checkpointDurationMetrics {
		fmt.Fprintf(&b, "- `%s{namespace,pod}`: how long writing that checkpoint took, in the same scrape\n", n)
		seen[n] = true
	}
	b.WriteString(`
## Counters of servers, gateways and controllers

These rows come from ` + "`ingest/series/inference.csv`" + `; rows of your own table with the same columns take precedence. Values are
kept in thousandths per minute, by (pod, server, model, engine). Outside Kubernetes the scraped ` + "`instance`" + ` stands for the pod.

- *kind*: ` + "`counter`, `gauge`, `histogram`" + ` (canonical_sum, _count, _bucket/le), ` + "`sums`" + ` (sum and count only), ` + "`skip`" + ` (left out; the note gives the reason)
- *unit*: the factor that the value and the bounds of buckets are multiplied by: milli, micro, nano, percent
- *split*: labels whose values are appended to the name, each after a "/". A counter's value is the sum of
  the name and all its parts. "/", "@" and "%" in values are written %2F, %40 and %25
- *model*: labels that name the model; the first non-empty one counts. After them come
  ` + "`" + strings.Join(modelLabels, "`, `") + "`" + `, as a server that runs inside another has that server's labels
- *engine*: labels that name an engine inside the process, joined by "/"; a value after "!" means the only engine. In a pod the port
  of ` + "`instance`" + ` is appended (not Istio's ` + meshPort + `), so that two servers of one pod add up
- All other labels, except those that name a place, form a hash: series that differ in any label are different counters, and their values
  add up. The hash is appended to the engine; for controllers, which need ` + "`*`" + ` in *split* for it, to the name. Ranks of one model
  count once: ` + "`" +
		strings.Join(slices.Sorted(maps.Keys(rankLabels)), "`, `") + "`" + `
- *layer*: engine, router, gateway or controller. Routers and gateways count the same requests as the engines behind them, so reports choose one layer, engines first
- *tenant*: labels that name the served customer; the first non-empty one is appended to the name as "@value". Inference reports show it as
  ` + "`tenant`" + `
- *when*: the row applies to series that match any of these: label=value, or label~part of the value
- ` + "`[_total]`" + `: with and without. A colon in a name may be "_", also with the prefix ` + "`ray_`" + `. ` + "`x_created`" + ` is the time when the counter began

Any server can be counted, since inference reports read only the canonical names:

- ` + "`requests`" + `: finished requests. A split value such as abort, error, cancelled, rejected or timeout marks those without an answer
- ` + "`requests_failed`" + `: not included in ` + "`requests`" + `; ` + "`requests_aborted`" + ` are included
- ` + "`requests_succeeded` and `requests_received`" + `: count if the server has no other count of requests
- ` + "`inferences`" + `: elements of batches
- ` + "`prompt_tokens`" + `: include ` + "`cached_prompt_tokens`" + `
- ` + "`generation_tokens`" + `
- ` + "`prefill_seconds`, `decode_seconds`, `latency_seconds`, `ttft_seconds`, `queue_seconds`" + `: a histogram or sums

| server | metric | kind | canonical | unit | split | engine | layer | note |
|---|---|---|---|---|---|---|---|---|
`)
	lines := slices.Clone(embedded.lines)
	slices.SortStableFunc(lines, func(a, b *tableLine) int { return cmp.Compare(a.server, b.server) })
	for _, l := range lines {
		if l.kind == kindSkip {
			continue
		}
		split := slices.Clone(l.split)
		if l.rest {
			split = append(split, "*")
		}
		note := l.note
		if len(l.when) > 0 {
			var when []string
			for _, w := range l.when {
				when = append(when, w.label+map[bool]string{true: "~", false: "="}[w.part]+w.text)
			}
			note = strings.TrimPrefix(note+"; when "+strings.Join(when, " or "), "; ")
		}
		var engine []string
		for _, e := range l.engine {
			engine = append(engine, e.label)
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | `%s` | %s | %s | %s | %s | %s |\n", l.server, l.metric, l.kind, l.canonical,
			l.unit,
			strings.Join(split, ", "), strings.Join(engine, ", "), l.layer, note)
	}
	for _, n := range embedded.Names() {
		seen[n] = true
	}
	b.WriteString(`
## Left out on purpose

| name | why |
|---|---|
`)
	for _, l := range lines {
		if l.kind == kindSkip {
			fmt.Fprintf(&b, "| `%s` | %s |\n", l.metric, l.note)
		}
	}
	for _, l := range leftOut {
		fmt.Fprintf(&b, "| `%s` | %s |\n", l.name, l.why)
	}
	for _, n := range Names() {
		if !seen[n] {
			t.Errorf("%s is read and not documented", n)
		}
	}
	return b.String()
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

// unitOf is the unit of a metric, by its name's table row.
func unitOf(m deviceMetric) string {
	switch m.signal {
	case "memory_used_b", "memory_free_b":
		if m.mul == mebi {
			return "MiB"
		}
		return "B"
	case "power_mw":
		return "W"
	case "energy_mj":
		if m.mul == milli {
			return "J"
		}
		return "mJ"
	case "temperature_mc":
		return "°C"
	case "xid":
		return "last XID"
	case "mig_mode", "seen":
		return "1: yes"
	case "throttle_reasons":
		return "bit set"
	case "throttle_power_ns", "throttle_thermal_ns":
		if m.mul == nano {
			return "s"
		}
		return "ns"
	case "pcie_tx_bps", "pcie_rx_bps", "nvlink_tx_bps", "nvlink_rx_bps":
		return "B/s"
	}
	if m.mul == percent {
		return "percent"
	}
	return "ratio"
}

var podWords = map[podField]string{
	podInfo: "node, first and last sample; created_by is the owner", podOwner: "owner",
	podLabels: "labels", podPhase: "phase, and when it was first terminal",
	podReason: "status reason", podDisruption: "disruption reason",
	podTerminated: "terminated reason", podWaiting: "minutes in CrashLoopBackOff",
	podRequest: "requests of devices; of CPU and memory only requests, not limits",
	podSidecar: "init containers that keep running (sidecars)", podCreated: "creation time", podScheduled: "scheduled time",
	podStarted: "start time", podCompleted: "completion time", podDeleted: "deletion time",
}

var restartWords = map[string]string{
	"kube_pod_container_status_last_terminated_timestamp": "event `restarted` at that time",
	"kube_pod_container_status_restarts_total":            "event `restarted` if the series above is missing",
	"kube_pod_container_status_last_terminated_reason":    "reason of the event",
}

var nodeWords = map[nodeField]string{
	nodeInfo:   "provider id, first and last sample; marks the cluster's placements as observed",
	nodeLabels: "labels", nodeCreated: "creation time",
	nodeCapacity: "capacity", nodeReady: "minutes not ready (condition Ready)", nodeCordoned: "minutes cordoned",
	nodeInstance: "number of a Google instance; the cards that HAMi or Volcano registered",
}
