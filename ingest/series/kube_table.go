package series

// podMetrics maps kube_pod_… series to the pod's field that they set. text is the label whose
// value counts, for series with a 0 or 1.
var podMetrics = map[string]struct {
	field podField
	text  string
}{
	"kube_pod_info":                               {podInfo, ""},
	"kube_pod_owner":                              {podOwner, ""},
	"kube_pod_labels":                             {podLabels, ""},
	"kube_pod_status_phase":                       {podPhase, "phase"},
	"kube_pod_status_reason":                      {podReason, "reason"},
	"kube_pod_status_disruption_reason":           {podDisruption, "reason"},
	"kube_pod_container_status_terminated_reason": {podTerminated, "reason"},
	"kube_pod_container_status_waiting_reason":    {podWaiting, "reason"},
	"kube_pod_container_resource_requests":        {podRequest, "resource"},
	"kube_pod_container_resource_limits":          {podRequest, "resource"},
	"kube_pod_init_container_resource_requests":   {podRequest, "resource"},
	"kube_pod_init_container_resource_limits":     {podRequest, "resource"},
	"kube_pod_init_container_info":                {podSidecar, ""},
	"kube_pod_created":                            {podCreated, ""},
	"kube_pod_status_scheduled_time":              {podScheduled, ""},
	"kube_pod_start_time":                         {podStarted, ""},
	"kube_pod_completion_time":                    {podCompleted, ""},
	"kube_pod_deletion_timestamp":                 {podDeleted, ""},
}

// nodeMetrics does the same for kube_node_… series.
var nodeMetrics = map[string]nodeField{
	"kube_node_info":               nodeInfo,
	"kube_node_labels":             nodeLabels,
	"kube_node_annotations":        nodeInstance,
	"kube_node_created":            nodeCreated,
	"kube_node_status_capacity":    nodeCapacity,
	"kube_node_status_condition":   nodeReady,
	"kube_node_spec_unschedulable": nodeCordoned,
}

// objectMetric is what a series states about an object other than a pod or node.
type objectMetric struct {
	kind  string
	label string // names the object
	field objectField
	attr  string // attribute set by the value, or by the value of by
	by    string // label whose value becomes the attribute when the sample is not 0
}

var objectMetrics = map[string]objectMetric{
	"kube_replicaset_owner":           {kind: "ReplicaSet", label: "replicaset", field: objectOwner},
	"kube_replicaset_created":         {kind: "ReplicaSet", label: "replicaset", field: objectCreated},
	"kube_replicaset_labels":          {kind: "ReplicaSet", label: "replicaset", field: objectLabels},
	"kube_deployment_created":         {kind: "Deployment", label: "deployment", field: objectCreated},
	"kube_deployment_labels":          {kind: "Deployment", label: "deployment", field: objectLabels},
	"kube_statefulset_created":        {kind: "StatefulSet", label: "statefulset", field: objectCreated},
	"kube_statefulset_labels":         {kind: "StatefulSet", label: "statefulset", field: objectLabels},
	"kube_daemonset_created":          {kind: "DaemonSet", label: "daemonset", field: objectCreated},
	"kube_daemonset_labels":           {kind: "DaemonSet", label: "daemonset", field: objectLabels},
	"kube_cronjob_created":            {kind: "CronJob", label: "cronjob", field: objectCreated},
	"kube_cronjob_labels":             {kind: "CronJob", label: "cronjob", field: objectLabels},
	"kube_namespace_created":          {kind: "Namespace", label: "namespace", field: objectCreated},
	"kube_namespace_labels":           {kind: "Namespace", label: "namespace", field: objectLabels},
	"kube_job_owner":                  {kind: "Job", label: "job_name", field: objectOwner},
	"kube_job_created":                {kind: "Job", label: "job_name", field: objectCreated},
	"kube_job_labels":                 {kind: "Job", label: "job_name", field: objectLabels},
	"kube_job_spec_completions":       {kind: "Job", label: "job_name", field: objectNumber, attr: "completions"},
	"kube_job_spec_parallelism":       {kind: "Job", label: "job_name", field: objectNumber, attr: "parallelism"},
	"kube_job_status_start_time":      {kind: "Job", label: "job_name", field: objectNumber, attr: "start_time"},
	"kube_job_status_completion_time": {kind: "Job", label: "job_name", field: objectNumber, attr: "completion_time"},
	"kube_job_status_failed": {
		kind: "Job", label: "job_name", field: objectText, attr: "failed_reason", by: "reason",
	},
	"kube_job_complete": {
		kind: "Job", label: "job_name", field: objectText, attr: "complete", by: "condition",
	},
	"kube_job_failed": {
		kind: "Job", label: "job_name", field: objectText, attr: "failed", by: "condition",
	},
}

func addKube(m map[string]binder) {
	for name, d := range podMetrics {
		m[name] = bindPod(d.field, d.text)
	}
	for name, field := range nodeMetrics {
		m[name] = bindNode(field)
	}
	for name, d := range objectMetrics {
		m[name] = bindObject(d)
	}
	m["kube_job_status_suspended"] = bindSuspended
	m["kube_resourcequota"] = bindQuota
	m["kube_node_spec_taint"] = bindTaint
	m["kube_pod_nodeselectors"] = bindSelectors
	m["kube_pod_container_status_last_terminated_timestamp"] = bindRestart(restartEnd)
	m["kube_pod_container_status_restarts_total"] = bindRestart(restartCount)
	// It belongs to an earlier life, and not to the end of the pod.
	m["kube_pod_container_status_last_terminated_reason"] = bindRestart(restartReason)
}
