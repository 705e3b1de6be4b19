package attempt

// operators are the kinds whose controllers label pods with their name.
var operators = map[string]string{
	"pytorchjob-controller": "PyTorchJob", "tfjob-controller": "TFJob",
	"mpijob-controller": "MPIJob", "xgboostjob-controller": "XGBoostJob",
	"paddlejob-controller": "PaddleJob", "jaxjob-controller": "JAXJob", "mxjob-controller": "MXJob",
}

// framework returns the root named by labels if the owner references end at a lower kind, empty if the labels name none
// (rule 6.1).
func framework(below string, l labels) (kind, name string) {
	if len(l) == 0 {
		return "", ""
	}
	bare, job := below == "Pod", below == "Job"
	if bare || job || below == kindRayCluster {
		if name := l.get("rayiooriginatedfromcrname", "rayiooriginatedfromcrdname"); name != "" {
			kind := l.get("rayiooriginatedfromcrd")
			if kind == "" {
				kind = kindRayJob
			}
			return kind, name
		}
	}
	if bare || job {
		if name := l.get("jobsetsigsk8siojobsetname"); name != "" {
			return kindJobSet, name
		}
		if name := l.get("volcanoshjobname"); name != "" {
			return kindVolcanoJob, name
		}
		if name, kind := l.get("trainingkubefloworgjobname"),
			operators[l.get("trainingkubefloworgoperatorname")]; name != "" && kind != "" {
			return kind, name
		}
	}
	if bare || below == "StatefulSet" {
		if name := l.get("leaderworkersetsigsk8sioname"); name != "" {
			return kindLWS, name
		}
	}
	if !bare {
		return "", ""
	}
	if name := l.get("rayiocluster"); name != "" {
		return kindRayCluster, name
	}
	if name := l.get("schedulingxk8siopodgroup", "podgroupschedulingsigsk8sio", "podgroupschedulingsigsk8sioname",
		"kueuexk8siopodgroupname"); name != "" {
		return kindPodGroup, name
	}
	if dag, run, task := l.get("dagid"), l.get("runid"), l.get("taskid"); dag != "" && run != "" && task != "" {
		name := dag + "/" + run + "/" + task
		if index := l.get("mapindex"); index != "" {
			name += "/" + index
		}
		return kindAirflow, name
	}
	return "", ""
}

// groupNamed is the pipeline that labels name (rule 6.3).
func groupNamed(l labels) string {
	if id := l.get("gpuledgeriogroup", "gpuledgeriogroupid", "workflowsargoprojioworkflow", "pipelinerunid"); id != "" {
		return id
	}
	if dag, run := l.get("dagid"), l.get("runid"); dag != "" && run != "" {
		return dag + "/" + run
	}
	return ""
}
