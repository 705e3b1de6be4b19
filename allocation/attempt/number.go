package attempt

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// numbered is the origin of a pod's attempt number: numbers of one scope and epoch can be compared.
type numbered struct {
	scope  string // empty: the run
	epoch  int    // rises when the root was recreated and counts from the start
	number int
}

// number gives the pods of a run their attempt numbers as far as labels, sources or objects define them (rule 6.6),
// counted from 1 over the whole run. The order of ends alone gives no number.
func (g *group) number() {
	said := map[*pod]numbered{}
	lives, scopes := map[string]*scope{}, map[string]*scope{}
	for _, p := range g.pods { // by begin
		root := p.Cluster + "/" + p.Namespace + "/" + p.root.kind + "/" + p.root.name
		switch {
		case p.System == ledger.SystemSlurm:
			said[p] = scopeOf(lives, root).life(root, p)
		case p.root.kind == kindRayJob && p.rayCluster() != "":
			said[p] = numbered{scope: root + "/" + p.rayCluster(), number: 1}
		case p.explicit:
			said[p] = numbered{number: p.number}
		case p.number != 0:
			said[p] = scopeOf(scopes, root).counted(root, p)
		}
		p.number = 0
	}
	if len(said) == 0 {
		return
	}
	g.rank(said)
	g.numberOthers()
}

// rank counts numbers over the whole run, scopes in order of their first begin.
func (g *group) rank(said map[*pod]numbered) {
	type part struct {
		scope string
		epoch int
	}
	first := map[part]period.Second{}
	distinct := map[numbered]int{}
	for p, n := range said {
		at, known := first[part{n.scope, n.epoch}]
		if !known || p.begins() < at {
			first[part{n.scope, n.epoch}] = p.begins()
		}
		distinct[n] = 0
	}
	all := slices.SortedFunc(maps.Keys(distinct), func(a, b numbered) int {
		return cmp.Or(cmp.Compare(first[part{a.scope, a.epoch}], first[part{b.scope, b.epoch}]),
			cmp.Compare(a.scope, b.scope),
			cmp.Compare(a.epoch, b.epoch), cmp.Compare(a.number, b.number))
	})
	for i, n := range all {
		distinct[n] = i + 1
	}
	for p, n := range said {
		p.number = distinct[n]
	}
}

// scope is the state of numbering under one root.
type scope struct {
	epoch   int
	most    int           // highest number of the epoch
	ends    period.Second // of the epoch
	resized map[period.Second]period.Second
}

func scopeOf(all map[string]*scope, root string) *scope {
	if all[root] == nil {
		all[root] = &scope{}
	}
	return all[root]
}

// counted takes a number that a framework counts per root object. If no earlier pod of the epoch holds any more and the
// number does not continue the count, the root was recreated.
func (s *scope) counted(root string, p *pod) numbered {
	if s.most != 0 && p.number <= s.most && p.begins() >= s.ends {
		s.epoch, s.most = s.epoch+1, 0
	}
	s.most, s.ends = max(s.most, p.number), max(s.ends, p.hold.To)
	return numbered{root, s.epoch, p.number}
}

// life distinguishes the lives of a Slurm job by the number that its source counts, else by submit time. A life that
// was resized continues in the one that was submitted when it ended.
func (s *scope) life(root string, p *pod) numbered {
	if p.number != 0 {
		return numbered{root + "/" + strconv.Itoa(p.number), 0, 1}
	}
	at := p.submitted()
	if from, goesOn := s.resized[at]; goesOn {
		at = from
	}
	if strings.EqualFold(p.reason, "resizing") {
		if s.resized == nil {
			s.resized = map[period.Second]period.Second{}
		}
		s.resized[p.hold.To] = at
	}
	return numbered{root + "@" + strconv.FormatInt(int64(at), 10), 0, 1}
}

func (p *pod) rayCluster() string {
	if name := p.labels.get("rayiocluster"); name != "" || p.OwnerKind != kindRayCluster {
		return name
	}
	return p.OwnerName
}

// numberOthers puts pods without a number into the attempt that ran when they began: per gang, or per task.
func (g *group) numberOthers() {
	first := map[string]map[int]period.Second{} // per task: when each attempt began
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

// at is the highest number that had begun by then, else the first.
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
