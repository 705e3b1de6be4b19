package attempt

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// isGang applies the first half of rule 6.5.
func (p *pod) isGang() bool {
	switch {
	case gangKinds[p.root.kind], trainingKinds[p.root.kind]:
		return true
	case p.root.kind == ledger.KindAttempts:
		return p.labels.get("gpuledgeriotask") == ""
	case p.root.kind != "Job" || p.root.job == nil:
		return false
	}
	n := p.root.job.Attrs["completions"]
	parallel, err := strconv.Atoi(p.root.job.Attrs["parallelism"])
	return err == nil && parallel > 1 && n == p.root.job.Attrs["parallelism"]
}

// maxNumber is the largest attempt number that is accepted.
const maxNumber = 1 << 30

// attemptNumber is the attempt number that the pod itself has, 0 if it has none (rule 6.6). Explicit numbers count over
// the run, others over one object of a framework.
func (p *pod) attemptNumber() (n int, explicit bool) {
	number := func(text string, add int) int {
		n, err := strconv.Atoi(text)
		if err != nil || n+add < 1 || n > maxNumber {
			return 0
		}
		return n + add
	}
	if n = number(p.labels.get("gpuledgerioattempt"), 0); n != 0 {
		return n, true
	}
	return cmp.Or(number(p.labels.get("jobsetsigsk8siorestartattempt"), 1),
		number(p.labels.get("volcanoshjobversion"), 1)), false
}

func (p *pod) index() string {
	return cmp.Or(p.labels.get("batchkubernetesiojobcompletionindex", "jobcompletionindex"),
		indexInName(p.OwnerName, p.Name, p.OwnerKind))
}

// taskKey names the pod's task in a run that is not a gang.
func (p *pod) taskKey() string {
	if task := cmp.Or(p.labels.get("gpuledgeriotask"), p.index()); task != "" {
		return task
	}
	if p.root.kind == kindWorkflow {
		return p.Name // every pod is a separate step
	}
	return "0"
}

// memberKey names the pod's place in its gang.
func (p *pod) memberKey() string {
	l := p.labels
	if member := l.get("gpuledgeriomember"); member != "" {
		return member
	}
	replica := l.get("trainingkubefloworgreplicatype", "replicatype")
	number := l.get("trainingkubefloworgreplicaindex", "replicaindex")
	if replica != "" || number != "" {
		return strings.ToLower(replica) + "/" + number
	}
	if job := l.get("jobsetsigsk8sioreplicatedjobname"); job != "" {
		return job + "/" + l.get("jobsetsigsk8siojobindex") + "/" + p.index()
	}
	if group := l.get("leaderworkersetsigsk8siogroupindex"); group != "" {
		return group + "/" + l.get("leaderworkersetsigsk8sioworkerindex")
	}
	return cmp.Or(p.index(), p.member, p.Name)
}

// indexInName reads the completion index of an indexed Job's pod, <job>-<index>-<five random characters>; empty if the
// name has another form.
func indexInName(job, name, kind string) string {
	rest, ok := strings.CutPrefix(name, job+"-")
	if kind != "Job" || job == "" || !ok {
		return ""
	}
	index, random, ok := strings.Cut(rest, "-")
	if !ok || len(random) != 5 {
		return ""
	}
	if _, err := strconv.Atoi(index); err != nil {
		return ""
	}
	return index
}

// life is one life of a job of another system: Slurm restarts a job under its id with a new submit time.
type life struct {
	cluster         string
	system          ledger.System
	namespace, name string
	submitted       period.Second
}

func lifeOf(f *ledger.WorkloadFact) life {
	submitted := f.Created
	if f.System == ledger.SystemAttempts { // tries of one run with only a known start are several lives
		submitted = cmp.Or(submitted, f.Scheduled, f.Started)
	}
	return life{f.Cluster, f.System, f.Namespace, f.Name, submitted}
}

// begunLives are the lives that got machines.
func begunLives(facts []ledger.WorkloadFact) map[life]bool {
	out := map[life]bool{}
	for i := range facts {
		if f := &facts[i]; f.System != ledger.SystemKubernetes && f.Node != "" {
			out[lifeOf(f)] = true
		}
	}
	return out
}

// rankNodes sets the place in the gang of the parts of a Slurm job's life on several nodes to the rank of their node,
// as other lives have other nodes.
func rankNodes(pods []*pod) {
	lives := map[life][]*pod{}
	for _, p := range pods {
		if p.System == ledger.SystemSlurm {
			lives[lifeOf(p.WorkloadFact)] = append(lives[lifeOf(p.WorkloadFact)], p)
		}
	}
	for _, parts := range lives {
		slices.SortFunc(parts, func(a, b *pod) int { return cmp.Or(cmp.Compare(a.Node, b.Node), cmp.Compare(a.UID, b.UID)) })
		for i, p := range parts {
			p.member = strconv.Itoa(i)
			if p.OwnerName != "" && p.OwnerName != p.Name { // a part of a heterogeneous job
				p.member = p.Name + "/" + p.member
			}
		}
	}
}
