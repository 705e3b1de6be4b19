package attempt

import (
	"slices"
	"testing"

	"gpuledger/internal/ledger"
)

func labelled(pairs ...string) func(*ledger.WorkloadFact) {
	return func(p *ledger.WorkloadFact) {
		for i := 0; i+1 < len(pairs); i += 2 {
			label(pairs[i], pairs[i+1])(p)
		}
	}
}

func TestFrameworksByOwnerAndByLabel(t *testing.T) {
	owned := func(kind, name, ownerKind, owner string) ledger.ObjectFact {
		return ledger.ObjectFact{Kind: kind, Name: name, OwnerKind: ownerKind, OwnerName: owner, Created: t0}
	}
	for _, c := range []struct {
		name       string
		story      *story
		kind, root string
		class      ledger.WorkloadClass
		group      string
	}{
		{"ray job, KSM shows the cluster only", newStory().pod("a", "RayCluster/job-x7k2p", 0, 9,
			labelled("ray_io_cluster", "job-x7k2p", "ray_io_originated_from_crd", "RayJob", "ray_io_originated_from_cr_name",
				"job")), "RayJob", "job", ledger.ClassRun, ""},
		{"ray job, labels on the cluster",
			newStory().object(ledger.ObjectFact{Kind: "RayCluster", Name: "job-x7k2p", Created: t0,
				Labels: map[string]string{"ray.io/originated-from-crd": "RayJob", "ray.io/originated-from-crd-name": "job"}}).
				pod("a", "RayCluster/job-x7k2p", 0, 9), "RayJob", "job", ledger.ClassRun, ""},
		{
			"ray job by owner", newStory().object(owned("RayCluster", "job-x7k2p", "RayJob",
				"job")).pod("a", "RayCluster/job-x7k2p", 0, 9), "RayJob", "job", ledger.ClassRun, "",
		},
		{
			"ray service", newStory().pod("a", "RayCluster/svc-1", 0, 9,
				labelled("ray.io/originated-from-crd", "RayService", "ray.io/originated-from-cr-name", "svc")),
			"RayService", "svc", ledger.ClassService, "",
		},
		{
			"ray cluster", newStory().pod("a", "RayCluster/lab", 0, 9, labelled("ray.io/cluster", "lab")),
			"RayCluster", "lab", ledger.ClassRun, "",
		},
		{
			"submitter of a ray job", newStory().object(owned("Job", "job", "RayJob", "job")).pod("a", "Job/job", 0, 9),
			"RayJob", "job", ledger.ClassRun, "",
		},
		{
			"job set by label", newStory().pod("a", "Job/set-w-0", 0, 9, labelled("jobset.sigs.k8s.io/jobset-name", "set")),
			"JobSet", "set", ledger.ClassRun, "",
		},
		{"train job above a job set",
			newStory().object(owned("Job", "t-node-0", "JobSet", "t")).object(owned("JobSet", "t", "TrainJob", "t")).
				pod("a", "Job/t-node-0", 0, 9, labelled("jobset.sigs.k8s.io/jobset-name", "t")),
			"TrainJob", "t", ledger.ClassRun, ""},
		{
			"volcano's own Job", newStory().pod("a", "Job/vc", 0, 9,
				labelled("volcano.sh/job-name", "vc", "volcano.sh/job-version", "0")), "VolcanoJob", "vc", ledger.ClassRun, "",
		},
		{
			"training operator without owner",
			newStory().pod("a", "", 0, 9,
				labelled("training.kubeflow.org/job-name", "p", "training.kubeflow.org/operator-name", "pytorchjob-controller")),
			"PyTorchJob", "p", ledger.ClassRun, "",
		},
		{
			"leader worker set", newStory().pod("a", "StatefulSet/llm-0", 0, 9,
				labelled("leaderworkerset.sigs.k8s.io/name", "llm", "leaderworkerset.sigs.k8s.io/group-index", "0")),
			"LeaderWorkerSet", "llm", ledger.ClassService, "",
		},
		{
			"pod group", newStory().pod("a", "", 0, 9, labelled("scheduling.x-k8s.io/pod-group", "g")),
			"PodGroup", "g", ledger.ClassRun, "",
		},
		{
			"pod group of an owner", newStory().pod("a", "PyTorchJob/p", 0, 9, labelled("scheduling.x-k8s.io/pod-group", "g")),
			"PyTorchJob", "p", ledger.ClassRun, "",
		},
		{
			"airflow task", newStory().pod("a", "", 0, 9,
				labelled("dag_id", "etl", "run_id", "r1", "task_id", "embed", "map_index", "3")),
			"AirflowTask", "etl/r1/embed/3", ledger.ClassRun, "etl/r1",
		},
		{
			"argo step", newStory().pod("a", "Workflow/wf", 0, 9, labelled("workflows.argoproj.io/workflow", "wf")),
			"Workflow", "wf", ledger.ClassRun, "wf",
		},
		{
			"job of an argo workflow", newStory().object(owned("Job", "j", "Workflow", "wf")).pod("a", "Job/j", 0, 9),
			"Job", "j", ledger.ClassRun, "c/ns/Workflow/wf",
		},
		{
			"kubeflow pipeline", newStory().pod("a", "PyTorchJob/p", 0, 9, labelled("pipeline/runid", "77")),
			"PyTorchJob", "p", ledger.ClassRun, "77",
		},
		{"served model", newStory().object(owned("ReplicaSet", "m-1", "Deployment", "m")).object(owned("Deployment", "m",
			"InferenceService", "llama")).
			pod("a", "ReplicaSet/m-1", 0, 9), "InferenceService", "llama", ledger.ClassService, ""},
		{"spark", newStory().pod("a", "SparkApplication/s", 0, 9), "SparkApplication", "s", ledger.ClassService, ""},
	} {
		r := c.story.node("n1").build()
		w := r.Workloads
		if len(w) != 1 || w[0].Kind != c.kind || w[0].OwnerName != c.root || w[0].Class != c.class {
			t.Errorf("%s: %+v", c.name, w)
			continue
		}
		if (len(r.Runs) == 1) != (c.class == ledger.ClassRun) || len(r.Runs) == 1 && r.Runs[0].GroupID != c.group {
			t.Errorf("%s: %+v", c.name, r.Runs)
		}
	}
}

func TestKindByItsOwnLabelFirst(t *testing.T) {
	s := newStory().node("n1").pod("a", job, 0, 9, labelled("stage", "training", "gpuledger.io/kind", "Evaluation"))
	if run := s.build().Runs[0]; run.Kind != "evaluation" {
		t.Errorf("%+v", run)
	}
}

// Deleted and recreated under one name: the failed try and the next are one run, and pods of one name are distinguished
// by uid.
func TestPyTorchJobRemadeUnderTheSameName(t *testing.T) {
	s := gang().
		object(ledger.ObjectFact{Kind: "PyTorchJob", Name: "train", Created: at(0)}).
		pod("a1", job, 0, 40, named("train-worker-0"), worker(0), failed("Error")).
		object(ledger.ObjectFact{Kind: "PyTorchJob", Name: "train", Created: at(50)}).
		pod("a2", job, 50, 90, named("train-worker-0"), worker(0), succeeded)
	wantAttempts(t, s,
		"#1 0–40 failed(Error) lost none from 0 complete 0: a1 0–40",
		"#2 50–90 succeeded complete 50: a2 50–90")
	if r := s.build(); len(r.Runs) != 1 {
		t.Errorf("%v", runIDs(r))
	}
}

// One object is one run however long it pauses; a shared name alone is not.
func TestOneObjectIsOneRunHoweverLongItRests(t *testing.T) {
	rests := func(s *story) *story {
		return s.pod("a", job, 0, 10, failed("Error")).pod("b", job, 4000, 4010, succeeded)
	}
	if r := rests(gang()).build(); len(r.Runs) != 2 {
		t.Errorf("%v", runIDs(r))
	}
	if r := rests(gang().object(ledger.ObjectFact{
		Kind: "PyTorchJob", Name: "train", Created: at(0),
	})).build(); len(r.Runs) != 1 {
		t.Errorf("%v", runIDs(r))
	}
}

// JobSet counts its restarts: a pod that still runs when the next restart begins belongs to the
// attempt with its number, whatever the time.
func TestJobSetRestarts(t *testing.T) {
	set := func(restart, index string) func(*ledger.WorkloadFact) {
		return labelled("jobset.sigs.k8s.io/jobset-name", "set", "jobset.sigs.k8s.io/restart-attempt", restart,
			"jobset.sigs.k8s.io/replicatedjob-name", "w", "jobset.sigs.k8s.io/job-index", index)
	}
	s := gang().
		pod("a0", "Job/set-w-0", 0, 30, set("0", "0"), failed("Error")).
		pod("b0", "Job/set-w-1", 0, 45, set("0", "1"), on("n2"), deleted). // slow to die
		pod("a2", "Job/set-w-0", 31, 90, set("2", "0"), succeeded).        // restart 1 never held
		pod("b2", "Job/set-w-1", 50, 90, set("2", "1"), on("n2"), succeeded)
	wantAttempts(t, s,
		"#1 0–45 failed(Error) lost none from 0 complete 0: a0 0–30 b0 0–45",
		"#2 31–90 succeeded complete 50: a2 31–90 b2 50–90")
	if run := s.build().Runs[0]; run.World != 2 || run.Attempts != 2 || run.RootKind != "JobSet" {
		t.Errorf("%+v", run)
	}
}

// KubeRay makes a new cluster for each try of a job, and deletes the workers once the submitter has finished.
func TestRayJobRetry(t *testing.T) {
	ray := func(cluster string) func(*ledger.WorkloadFact) {
		return labelled("ray.io/cluster", cluster, "ray.io/originated-from-crd", "RayJob", "ray.io/originated-from-cr-name",
			"job")
	}
	submitter := func(p *ledger.WorkloadFact) { p.Requests = nil }
	s := gang().
		object(ledger.ObjectFact{Kind: "Job", Name: "job", OwnerKind: "RayJob", OwnerName: "job", Created: t0}).
		pod("w1", "RayCluster/job-aaaaa", 0, 30, ray("job-aaaaa"), deleted).
		pod("s1", "Job/job", 2, 29, submitter, failed("Error")).
		pod("w2", "RayCluster/job-bbbbb", 35, 92, ray("job-bbbbb"), deleted).
		pod("v2", "RayCluster/job-bbbbb", 35, 92, ray("job-bbbbb"), on("n2"), deleted).
		pod("s2", "Job/job", 36, 90, submitter, succeeded)
	wantAttempts(t, s,
		"#1 0–30 failed(Error) lost none from 0 complete 2: s1 2–29 w1 0–30",
		"#2 35–92 succeeded complete 36: s2 36–90 v2 35–92 w2 35–92")
	if run := s.build().Runs[0]; run.Status != "succeeded" || run.World != 3 {
		t.Errorf("%+v", run)
	}
}

// An attempts file gives the numbers of attempts itself: one task, each of its attempts on two machines.
func TestAttemptsFileWithTasksOnSeveralNodes(t *testing.T) {
	part := func(uid, node string, from, to int, number string, outcome ledger.Outcome) ledger.WorkloadFact {
		return ledger.WorkloadFact{Cluster: "c", System: ledger.SystemAttempts, Namespace: "ns", Name: "sweep", UID: uid,
			Node: node, Started: at(from), Completed: at(to),
			Outcome: outcome, Labels: map[string]string{
				ledger.LabelTask: "lr-3", ledger.LabelAttempt: number, ledger.LabelRunID: "sweep-9",
			}}
	}
	s := gang()
	s.in.Pods = []ledger.WorkloadFact{
		part("a", "n1", 0, 10, "4", ledger.Failed), part("b", "n2", 0, 10, "4", ledger.Failed),
		part("c", "n1", 20, 30, "7", ledger.Succeeded),
	}
	wantAttempts(t, s,
		"lr-3#1 0–10 failed lost none from 0 complete 0: a 0–10 b 0–10",
		"lr-3#2 20–30 succeeded complete 20: c 20–30")
	if r := s.build(); !slices.Equal(runIDs(r), []string{"sweep-9"}) || r.Attempts[0].Nodes != 2 {
		t.Errorf("%+v", r.Runs)
	}
}

// Frameworks count per object: several jobs under one label, and a job that was recreated, have separate attempts.
func TestNumbersOfSeveralObjectsInOneRun(t *testing.T) {
	set := func(name, restart string) func(*ledger.WorkloadFact) {
		return labelled("jobset.sigs.k8s.io/jobset-name", name, "jobset.sigs.k8s.io/restart-attempt", restart,
			ledger.LabelRunID, "mine", ledger.LabelMember, "0")
	}
	wantAttempts(t, gang().
		pod("a", "Job/x", 0, 10, set("x", "0"), failed("Error")).pod("b", "Job/x", 11, 20, set("x", "1"), failed("Error")).
		pod("c", "Job/y", 21, 30, set("y", "0"), failed("Error")).
		pod("d", "Job/x", 40, 50, set("x", "0"), succeeded), // x was recreated
		"#1 0–10 failed(Error) lost none from 0 complete 0: a 0–10",
		"#2 11–20 failed(Error) lost none from 11 complete 11: b 11–20",
		"#3 21–30 failed(Error) lost none from 21 complete 21: c 21–30",
		"#4 40–50 succeeded complete 40: d 40–50")
}
