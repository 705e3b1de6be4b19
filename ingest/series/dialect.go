package series

import (
	"strings"

	"gpuledger/internal/ledger"
)

// dialect is how an exporter names what its rows are about.
type dialect struct {
	uuid, index, model, slice, profile []string
	node                               func(Labels) string
	// holder names the workload that the row says has the device.
	holder func(Labels) (namespace, name string)
	// others reports rows of things that are no GPU.
	others func(Labels) bool
	// prefixed: the label holds other kinds of ids too; a UUID begins GPU-.
	prefixed bool
}

// dcgmDialect is that of dcgm-exporter, whichever pipeline its rows passed.
var dcgmDialect = &dialect{
	uuid: []string{"UUID", "gpu_uuid"}, index: []string{"gpu"}, model: []string{"modelName", "model_name"},
	slice: []string{"GPU_I_ID"}, profile: []string{"GPU_I_PROFILE", "dra_mig_profile"},
	node: nodeName, holder: holderOf,
	others: func(ls Labels) bool { return ls.fold("nvlink", "nvswitch", "cpu", "cpucore") != "" },
}

// device names the whole device that a row is about.
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

// deviceUUID gives a UUID the prefix that some exporters cut off, so that all
// of them speak of the same device.
func deviceUUID(s string) string {
	if len(s) != 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return s
	}
	return "GPU-" + strings.ToLower(s)
}

// nodeName is the host that the row's device is in. Without NODE_NAME the
// exporter in a pod gives its pod's name, which is no node.
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

// holderOf names what holds the row's device: a pod, or the job that the
// exporter's mapping directory names (blank: none); both empty when nothing
// does. Prometheus renames the exporter's labels to exported_… and puts the
// exporter's own pod in their place.
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

// exportersOwn reports whether a pod that a row names is the one that exported
// it: by its name, as the host that the row gives, or as a pod of the service
// that was scraped.
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
