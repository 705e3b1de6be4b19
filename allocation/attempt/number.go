package attempt

import (
	"cmp"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// number gives the pods of a run the numbers of their attempts, as far as
// anything but the order of their ends says so (rule 6.6).
func (g *group) number() {
	g.numberLives()
	g.numberClusters()
	g.numberOthers()
}

// numberLives counts the lives of a Slurm job. A life that was resized goes on
// in the next.
func (g *group) numberLives() {
	if g.pods[0].System != ledger.SystemSlurm {
		return
	}
	resized := map[period.Second]bool{}
	for _, p := range g.pods {
		if was := strings.EqualFold(p.reason, "resizing"); was || !resized[p.submitted()] {
			resized[p.submitted()] = was
		}
	}
	number, next := map[period.Second]int{}, 1
	for _, at := range sortedKeys(resized) {
		if number[at] = next; !resized[at] {
			next++
		}
	}
	for _, p := range g.pods {
		p.number = cmp.Or(p.number, number[p.submitted()])
	}
}

// numberClusters counts the clusters that KubeRay made for a job, one per try.
func (g *group) numberClusters() {
	if g.pods[0].root.kind != kindRayJob {
		return
	}
	number := map[string]int{}
	for _, p := range g.pods { // by begin
		name := p.rayCluster()
		if name == "" {
			continue
		}
		if number[name] == 0 {
			number[name] = len(number) + 1
		}
		p.number = cmp.Or(p.number, number[name])
	}
}

func (p *pod) rayCluster() string {
	if name := p.labels.get("rayiocluster"); name != "" || p.OwnerKind != kindRayCluster {
		return name
	}
	return p.OwnerName
}

// numberOthers puts those without a number into the attempt that ran when they
// began: per gang, or per task.
func (g *group) numberOthers() {
	first := map[string]map[int]period.Second{} // by task: when each attempt began
	missing := false
	for _, p := range g.pods {
		if p.number == 0 {
			missing = true
			continue
		}
		numbers := first[g.taskOf(p)]
		if numbers == nil {
			numbers = map[int]period.Second{}
			first[g.taskOf(p)] = numbers
		}
		if old, known := numbers[p.number]; !known || p.begins() < old {
			numbers[p.number] = p.begins()
		}
	}
	if !missing || len(first) == 0 {
		return
	}
	ladders := map[string]ladder{}
	for task, numbers := range first {
		ladders[task] = newLadder(numbers)
	}
	for _, p := range g.pods {
		if l := ladders[g.taskOf(p)]; p.number == 0 && len(l) > 0 {
			p.number = l.at(p.begins())
		}
	}
}

// taskOf is the pod's task, empty in a gang.
func (g *group) taskOf(p *pod) string {
	if g.gang {
		return ""
	}
	return p.task
}

// ladder is the highest number begun so far, by time.
type ladder []rung

type rung struct {
	from   period.Second
	number int
}

func newLadder(begins map[int]period.Second) ladder {
	var l ladder
	for number, from := range begins {
		l = append(l, rung{from, number})
	}
	slices.SortFunc(l, func(a, b rung) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.number, b.number)) })
	for i := 1; i < len(l); i++ {
		l[i].number = max(l[i].number, l[i-1].number)
	}
	return l
}

// at is the highest number that had begun, else the first.
func (l ladder) at(t period.Second) int {
	i, _ := slices.BinarySearchFunc(l, t+1, func(r rung, t period.Second) int { return cmp.Compare(r.from, t) })
	return l[max(i-1, 0)].number
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
