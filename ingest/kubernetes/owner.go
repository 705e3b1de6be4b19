package kubernetes

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// owners are namespaces, and the kinds that can own a pod, directly or not. A framework's own
// information is in its labels, which package allocation interprets.
var owners = map[string]bool{
	"Namespace": true, "ReplicaSet": true, "Deployment": true,
	"StatefulSet": true, "DaemonSet": true, "Job": true, "CronJob": true,
	"ReplicationController": true, "Rollout": true,
	"JobSet": true, "PyTorchJob": true, "TFJob": true, "MPIJob": true,
	"XGBoostJob": true, "PaddleJob": true, "JAXJob": true, "TrainJob": true,
	"RayCluster": true, "RayJob": true, "RayService": true, "LeaderWorkerSet": true,
	"PodGroup": true, "SparkApplication": true, "AppWrapper": true,
	"Workflow": true, "CronWorkflow": true, "PipelineRun": true,
	"InferenceService": true, "LLMInferenceService": true, "NIMService": true,
	"SeldonDeployment": true, "Revision": true, "Notebook": true,
	"RunaiJob": true, "TrainingWorkload": true, "InteractiveWorkload": true,
	"InferenceWorkload": true, "DistributedWorkload": true,
	"DynamoGraphDeployment": true,
}

// Kinds lists the kinds to watch in addition to pods and nodes; a watch leaves out kinds that a
// cluster lacks.
func Kinds() []string {
	out := []string{"ResourceClaim", "ResourceSlice", "Workload", "ClusterQueue", "ResourceQuota"}
	for k := range owners {
		out = append(out, k)
	}
	return out
}

// KindVolcanoJob is this package's name for Volcano's Job, whose kind equals the batch Job's.
const KindVolcanoJob = "VolcanoJob"

// kindOf is the kind of an object in facts.
func kindOf(o *Object) string {
	if o.GetKind() == "Job" && groupOf(o) == "batch.volcano.sh" {
		return KindVolcanoJob
	}
	return o.GetKind()
}

func (c *Converter) owner(t *ledger.Telemetry, o *Object, seenMS int64) error {
	f := ledger.ObjectFact{
		Cluster: c.cluster, Namespace: o.GetNamespace(), Kind: kindOf(o), Name: o.GetName(), Labels: labelsOf(o),
		Created: second(o.GetCreationTimestamp()), Attrs: attrsOf(o), AttrsAt: ledger.AttrsOrder(ledger.FromAPI, seenMS),
	}
	f.OwnerKind, f.OwnerName = controller(o)
	t.Objects = append(t.Objects, f)
	c.suspensions(t, o)
	switch f.Kind {
	case "RayJob":
		t.Segments = append(t.Segments, c.ray.job(c.cluster, o, seenMS)...)
	}
	return nil
}

// Numbers and texts of objects that allocation or users need: attribute → path.
var attributes = map[string][]string{
	"completions":  {"spec", "completions"},
	"parallelism":  {"spec", "parallelism"},
	"backoffLimit": {"spec", "backoffLimit"},
	"suspend":      {"spec", "suspend"},
	"restarts":     {"status", "restarts"},       // JobSet
	"retryCount":   {"status", "retryCount"},     // Volcano
	"phase":        {"status", "phase"},          // Workflow
	"state":        {"status", "state", "phase"}, // Volcano
	"jobId":        {"status", "jobId"},          // RayJob
	"rayCluster":   {"status", "rayClusterName"},
	"jobStatus":    {"status", "jobStatus"},
	"deployment":   {"status", "jobDeploymentStatus"},
	"reason":       {"status", "reason"},
	"started_at":   {"status", "startTime"},
	"ended_at":     {"status", "endTime"},
	"completed_at": {"status", "completionTime"},
}

func attrsOf(o *Object) map[string]string {
	out := map[string]string{}
	for name, path := range attributes {
		v, found, err := unstructured.NestedFieldNoCopy(o.Object, path...)
		if err != nil || !found {
			continue
		}
		switch v := v.(type) {
		case string:
			out[name] = v
		case bool:
			out[name] = fmt.Sprint(v)
		case int64:
			out[name] = fmt.Sprint(v)
		case float64:
			out[name] = fmt.Sprint(int64(v))
		}
	}
	for _, rule := range list(o.Object, "spec", "podFailurePolicy", "rules") {
		if text(rule, "action") == "Ignore" { // such failures do not count towards backoffLimit
			out["ignoresFailures"] = "true"
		}
	}
	for _, cond := range list(o.Object, "status", "conditions") {
		if text(cond, "status") != "True" {
			continue
		}
		switch text(cond, "type") {
		case "Failed":
			out["failed"], out["failed_reason"] = "true", text(cond, "reason")
		case "Complete", "Completed", "Succeeded":
			out["complete"] = "true"
		case "Suspended":
			out["suspended"] = "true"
		}
	}
	return out
}

// suspensions reads when a job was suspended and resumed.
func (c *Converter) suspensions(t *ledger.Telemetry, o *Object) {
	for _, cond := range list(o.Object, "status", "conditions") {
		at := timeOf(text(cond, "lastTransitionTime"))
		if text(cond, "type") != "Suspended" || at == 0 {
			continue
		}
		what := ledger.WorkloadResumed
		if text(cond, "status") == "True" {
			what = ledger.WorkloadSuspended
		}
		t.Events = append(t.Events, c.event(o, what, text(cond, "reason"), at))
	}
}

func (c *Converter) event(
	o *Object, what ledger.WorkloadEventKind, reason string, at period.Second,
) ledger.WorkloadEvent {
	return ledger.WorkloadEvent{
		Cluster: c.cluster, Kind: kindOf(o), Namespace: o.GetNamespace(),
		Name: o.GetName(), UID: string(o.GetUID()), What: what, Reason: reason, At: at,
	}
}
