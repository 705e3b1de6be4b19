package series

import (
	"strings"

	"gpuledger/internal/ledger"
)

// dialect is an exporter's labels for the subject of its rows.
type dialect struct {
	uuid, index, model, slice, profile []string
	node                               func(Labels) string
	// holder is the workload that holds the device according to the row.
	holder func(Labels) (namespace, name string)
	// others reports rows of things that are not GPUs.
	others func(Labels) bool
	// prefixed: the label also holds other kinds of ids; a UUID begins with GPU-.
	prefixed bool
}

// dcgmDialect is dcgm-exporter's, whichever pipeline its rows passed through.
var dcgmDialect = &dialect{
	uuid: []string{"UUID", "gpu_uuid"}, index: []string{"gpu"}, model: []string{"modelName", "model_name"},
	slice: []string{"GPU_I_ID"}, profile: []string{"GPU_I_PROFILE", "dra_mig_profile"},
	node: nodeName, holder: holderOf,
	others: func(ls Labels) bool { return ls.fold("nvlink", "nvswitch", "cpu", "cpucore") != "" },
}

// device identifies the whole device of a row.
func (in *dialect) device(c *Collector, ls Labels) (entityKey, *Fault) {
	uuid := deviceUUID(ls.fold(in.uuid...))
	if uuid == "" || in.prefixed && !strings.HasPrefix(uuid, "GPU-") {
		return entityKey{}, faultNoDevice
	}
	node := in.node(ls)
	if node == "" {
		node = c.opt.Node
	}
	if node == "" {
		return entityKey{}, faultNoNode
	}
	return entityKey{cluster: c.cluster(ls), node: node, device: uuid, slice: ledger.WholeDevice}, nil
}

// deviceUUID restores the prefix that some exporters cut off, so that all of them name the same
// device.
func deviceUUID(s string) string {
	if len(s) != 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return s
	}
	return "GPU-" + strings.ToLower(s)
}

// nodeName is the host of the row's device. Without NODE_NAME, an exporter in a pod reports its
// pod's name, which is not a node.
func nodeName(ls Labels) string {
	host := ls.fold("Hostname")
	if host != "" && !strings.Contains(host, exporterPod) && host != ls.Get("pod") {
		return host
	}
	if n := ls.fold("node", "kubernetes_node", "nodename", "k8s_node_name", "k8s.node.name", "host_name",
		"host.name"); n != "" {
		return n
	}
	if host != "" {
		return host
	}
	instance := ls.Get("instance")
	if i := strings.LastIndexByte(instance, ':'); i > 0 {
		instance = instance[:i]
	}
	return instance
}

// exporterPod marks the names of the exporter's own pods.
const exporterPod = "dcgm-exporter"

// HPCJob is the namespace of hold evidence that names a job of a batch system.
const HPCJob = "hpc_job"

// holderOf names the holder of the row's device: a pod, or the job that the exporter's mapping
// directory names (blank: none); both are empty without a holder. Prometheus renames the
// exporter's labels to exported_… and puts the exporter's own pod in their place.
func holderOf(ls Labels) (namespace, pod string) {
	if namespace, pod = podHolder(ls); pod != "" {
		return namespace, pod
	}
	if job := strings.TrimSpace(ls.own("hpc_job")); job != "" {
		return HPCJob, job
	}
	return "", ""
}

func podHolder(ls Labels) (namespace, pod string) {
	pod = ls.own("pod")
	if pod == "" {
		pod = ls.own("pod_name")
	}
	renamed := ls.Get("exported_pod") != ""
	if pod == "" || !renamed && exportersOwn(ls, pod) {
		return "", ""
	}
	if renamed {
		namespace = ls.own("namespace")
	} else {
		namespace = ls.Get("namespace")
	}
	if namespace == "" {
		namespace = ls.own("pod_namespace")
	}
	if namespace == "" {
		return "", ""
	}
	return namespace, pod
}

// exportersOwn reports whether a pod on a row is the exporter's own: by its name, as the row's
// host, or as a pod of the scraped service.
func exportersOwn(ls Labels, pod string) bool {
	if strings.Contains(pod, exporterPod) || pod == ls.fold("Hostname") {
		return true
	}
	for _, label := range [...]string{"job", "service"} {
		if of := ls.Get(label); of != "" && strings.HasPrefix(pod, of+"-") && strings.Contains(of, "exporter") {
			return true
		}
	}
	return false
}
