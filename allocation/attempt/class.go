package attempt

import (
	"slices"
	"strings"

	"gpuledger/internal/ledger"
)

// Root kinds that labels name.
const (
	kindRayJob     = "RayJob"
	kindRayCluster = "RayCluster"
	kindJobSet     = "JobSet"
	kindVolcanoJob = "VolcanoJob"
	kindLWS        = "LeaderWorkerSet"
	kindPodGroup   = "PodGroup"
	kindAirflow    = "AirflowTask"
	kindWorkflow   = "Workflow"
)

// trainingKinds run training unless a label says otherwise (rule 6.4).
var trainingKinds = map[string]bool{
	"PyTorchJob": true, "TFJob": true, "MPIJob": true,
	"XGBoostJob": true, "PaddleJob": true, "JAXJob": true, "MXJob": true,
	"TrainJob": true, ledger.KindSageMakerJob: true,
}

// gangKinds are kinds other than training whose members live and die together (rule 6.5). Runs of attempts files are
// gangs if they name no tasks.
var gangKinds = map[string]bool{
	kindJobSet: true, kindVolcanoJob: true, kindRayJob: true, kindRayCluster: true, kindPodGroup: true, kindLWS: true,
	ledger.KindSlurmJob: true,
}

var classes = map[string]ledger.WorkloadClass{
	"Job": ledger.ClassRun, "CronJob": ledger.ClassRun, kindWorkflow: ledger.ClassRun,
	kindAirflow: ledger.ClassRun, ledger.KindAttempts: ledger.ClassRun,
	"Deployment": ledger.ClassService, "StatefulSet": ledger.ClassService, "ReplicaSet": ledger.ClassService,
	"ReplicationController": ledger.ClassService, "Rollout": ledger.ClassService, "InferenceService": ledger.ClassService,
	kindLWS: ledger.ClassService, "RayService": ledger.ClassService, "NIMService": ledger.ClassService,
	"SeldonDeployment": ledger.ClassService, "Revision": ledger.ClassService,
	"Pod": ledger.ClassInteractive, "Notebook": ledger.ClassInteractive,
	"JupyterServer": ledger.ClassInteractive, ledger.KindProcess: ledger.ClassInteractive,
	"DaemonSet": ledger.ClassSystem, "Node": ledger.ClassSystem,
}

// classOf applies rule 6.2. A kind that is not in the table is a run if its name ends in Job, interactive if it names a
// notebook, else a service.
func classOf(kind string, sets ...labels) ledger.WorkloadClass {
	for _, l := range sets {
		switch c := ledger.WorkloadClass(strings.ToLower(l.get("gpuledgerioworkloadclass"))); c {
		case ledger.ClassRun, ledger.ClassService, ledger.ClassInteractive, ledger.ClassSystem:
			return c
		}
	}
	if c, ok := classes[kind]; ok {
		return c
	}
	switch {
	case gangKinds[kind], strings.HasSuffix(kind, "Job"):
		return ledger.ClassRun
	case strings.Contains(kind, "Notebook"):
		return ledger.ClassInteractive
	}
	return ledger.ClassService
}

// kindOf applies rule 6.4.
func kindOf(rootKind string, sets ...labels) string {
	for _, key := range []string{"gpuledgeriokind", "stage", "gpuledgeriostage"} {
		for _, l := range sets {
			if kind := kindNamed(l.get(key)); kind != "" {
				return kind
			}
		}
	}
	if trainingKinds[rootKind] {
		return "training"
	}
	return "batch"
}

// kindNamed is the kind of run that a text names, empty if it names none.
func kindNamed(text string) string {
	if text = ledger.Spell("kind", text); slices.Contains(ledger.Kinds, text) {
		return text
	}
	return ""
}

// losing reports whether work of a kind can be lost (rule 6.10).
func losing(kind string) bool {
	switch kind {
	case "training", "fine_tuning", "evaluation", "batch":
		return true
	}
	return false
}
