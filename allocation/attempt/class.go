package attempt

import (
	"strings"

	"gpuledger/internal/ledger"
)

// gangKinds are kinds whose members live and die together (rule 6.5).
var gangKinds = map[string]bool{
	"PyTorchJob": true, "TFJob": true, "MPIJob": true, "XGBoostJob": true, "PaddleJob": true, "JAXJob": true, "MXJob": true,
	"TrainJob": true, "JobSet": true,
}

// trainingKinds run training unless a stage label says otherwise (rule 6.4).
var trainingKinds = map[string]bool{
	"PyTorchJob": true, "TFJob": true, "MPIJob": true, "XGBoostJob": true, "PaddleJob": true, "JAXJob": true, "MXJob": true,
	"TrainJob": true,
}

var classes = map[string]ledger.WorkloadClass{
	"Job": ledger.ClassRun, "CronJob": ledger.ClassRun, "RayJob": ledger.ClassRun, "Workflow": ledger.ClassRun,
	"Deployment": ledger.ClassService, "StatefulSet": ledger.ClassService, "ReplicaSet": ledger.ClassService,
	"ReplicationController": ledger.ClassService, "Rollout": ledger.ClassService, "InferenceService": ledger.ClassService,
	"LeaderWorkerSet": ledger.ClassService, "RayService": ledger.ClassService, "NIMService": ledger.ClassService,
	"SeldonDeployment": ledger.ClassService, "Revision": ledger.ClassService,
	"Pod": ledger.ClassInteractive, "Notebook": ledger.ClassInteractive, "JupyterServer": ledger.ClassInteractive,
	"DaemonSet": ledger.ClassSystem, "Node": ledger.ClassSystem,
}

// classOf answers rule 6.2. A kind that the table does not know is a run when
// its name ends in Job, interactive when it names a notebook, else a service.
func classOf(kind string, labels ...map[string]string) ledger.WorkloadClass {
	for _, l := range labels {
		switch c := ledger.WorkloadClass(strings.ToLower(ledger.Label(l, "gpuledgerioworkloadclass"))); c {
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

// kindOf answers rule 6.4.
func kindOf(rootKind string, labels ...map[string]string) string {
	for _, l := range labels {
		stage := strings.ReplaceAll(strings.ToLower(ledger.Label(l, "stage", "gpuledgeriostage")), "-", "_")
		switch stage {
		case "training", "fine_tuning", "evaluation", "inference", "batch":
			return stage
		case "finetuning":
			return "fine_tuning"
		}
	}
	if trainingKinds[rootKind] {
		return "training"
	}
	return "batch"
}

// losing reports whether work of that kind can be lost (rule 6.10).
func losing(kind string) bool {
	switch kind {
	case "training", "fine_tuning", "evaluation", "batch":
		return true
	}
	return false
}
