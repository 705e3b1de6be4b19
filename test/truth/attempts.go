package truth

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/world"
)

const (
	teardown  = 300
	newRunGap = 86400
)

// readAttempts is rule 6.
func (t *truth) readAttempts() {
	groups := map[string][]*heldPod{}
	var order []string
	for _, h := range t.held {
		if classOf(h.p) != "run" {
			h.segments = []segment{{from: h.from, to: h.to}}
			continue
		}
		k := h.p.RootKind + "/" + h.p.NS + "/" + h.p.RootName
		if v := world.FirstLabel(h.p.Labels, "label_gpuledger_io_run_id"); v != "" {
			k = "id/" + v
		}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], h)
	}
	for _, k := range order {
		tries := [][]*heldPod{groups[k]}
		if strings.HasPrefix(k, "PyTorchJob/") { // neither named by a label nor one Job object
			tries = splitRuns(groups[k])
		}
		for _, pods := range tries {
			t.run(pods)
		}
	}
}

// splitRuns is rule 6.3 for gangs: a new run reuses a name after success or after a day of silence. Pods come in order
// of hold start.
func splitRuns(pods []*heldPod) [][]*heldPod {
	var out [][]*heldPod
	begin := 0
	for i := 1; i < len(pods); i++ {
		end, allDone := int64(0), true
		for _, p := range pods[begin:i] {
			end = max(end, p.to)
		}
		if pods[i].from < end {
			continue
		}
		// The previous try: pods that ended within the teardown time of the last end.
		for _, p := range pods[begin:i] {
			if p.to > end-teardown && p.outcome != "succeeded" {
				allDone = false
			}
		}
		if allDone || pods[i].from-end > newRunGap {
			out = append(out, pods[begin:i])
			begin = i
		}
	}
	return append(out, pods[begin:])
}

// run makes the attempts of one run.
func (t *truth) run(pods []*heldPod) {
	p := pods[0].p
	r := Run{
		ID: world.FirstLabel(p.Labels, "label_gpuledger_io_run_id"), Namespace: p.NS,
		RootKind: p.RootKind, Name: p.RootName, Kind: runKind(p), Team: pods[0].team,
	}
	if r.ID == "" {
		r.ID = fmt.Sprintf("%s/%s/%s/%s/%d", t.Config.Cluster, p.NS, p.RootKind, p.RootName, t.runCreated(pods))
	}
	for _, h := range pods {
		h.runID = r.ID
	}
	begin := len(t.out.Attempts)
	if t.isGang(p) {
		r.World = t.worldSize(pods)
		if p.Life != nil && len(p.Life.Job.Lives) > 1 {
			t.numbered(&r, pods)
		} else {
			t.gang(&r, pods)
		}
	} else {
		r.World = 1
		t.tasks(&r, pods)
	}
	mine := t.out.Attempts[begin:]
	last := map[string]string{}
	for i := range mine {
		a := &mine[i]
		t.loss(&r, a, pods)
		r.Attempts = max(r.Attempts, a.Number)
		if a.Outcome == "preempted" || a.Outcome == "evicted" {
			r.Preemptions++
		}
		last[a.Task] = a.Outcome
	}
	r.Status = runStatus(last)
	t.describe(&r, mine, pods)
	t.out.Runs = append(t.out.Runs, r)
	// Segments point into the slice, which is in its final place only now.
	for _, h := range pods {
		for i := range h.segments {
			for j := range mine {
				if mine[j].key() == h.segments[i].attempt.key() {
					c := mine[j]
					h.segments[i].attempt = &c
				}
			}
		}
	}
}

func (a *Attempt) key() string { return fmt.Sprint(a.RunID, "|", a.Task, "|", a.Number) }

func runStatus(last map[string]string) string {
	seen := map[string]bool{}
	for _, o := range last {
		seen[o] = true
	}
	switch {
	case len(seen) == 1 && seen["succeeded"]:
		return "succeeded"
	case seen["running"]:
		return "running"
	case seen["cancelled"]:
		return "cancelled"
	case seen["unknown"]:
		return "unknown"
	}
	return "failed"
}

// runKind is rule 6.4.
func runKind(p *world.Pod) string {
	switch s := strings.ReplaceAll(world.FirstLabel(p.Labels, "label_stage"), "-", "_"); s {
	case "training", "fine_tuning", "evaluation", "inference", "batch":
		return s
	case "finetuning":
		return "fine_tuning"
	}
	if p.RootKind == "PyTorchJob" {
		return "training"
	}
	return "batch"
}

func (t *truth) runCreated(pods []*heldPod) int64 {
	p := pods[0].p
	if p.Life != nil {
		return p.Life.FirstSubmit
	}
	if p.RootKind == "Job" {
		for _, o := range t.Objects {
			if o.Kind == "Job" && o.NS == p.NS && o.Name == p.RootName {
				return o.Created
			}
		}
	}
	c := pods[0].p.Created
	for _, h := range pods {
		c = min(c, h.p.Created)
	}
	return c
}

// isGang is rule 6.5.
func (t *truth) isGang(p *world.Pod) bool {
	if p.RootKind == "PyTorchJob" || p.RootKind == "SlurmJob" {
		return true
	}
	for _, o := range t.Objects {
		if o.Kind == "Job" && o.NS == p.NS && o.Name == p.RootName {
			return o.Completions == o.Parallelism && o.Parallelism > 1
		}
	}
	return false
}

// worldSize counts the distinct members of the run.
func (t *truth) worldSize(pods []*heldPod) int {
	keys := map[string]bool{}
	for _, h := range pods {
		keys[h.p.Member] = true
	}
	return len(keys)
}

// tasks gives every pod an attempt of its task.
func (t *truth) tasks(r *Run, pods []*heldPod) {
	number := map[string]int{}
	for _, h := range pods {
		for _, m := range t.parts(h) {
			number[h.p.Task]++
			a := Attempt{RunID: r.ID, Number: number[h.p.Task], Task: h.p.Task, StartedAt: m.from, EndAt: m.to,
				Outcome: m.outcome, Reason: m.reason,
				GangComplete: m.from, PodUIDs: []string{h.p.UID}}
			h.segments = append(h.segments, segment{attempt: &a, from: m.from, to: m.to})
			t.out.Attempts = append(t.out.Attempts, a)
		}
	}
}

// member is a pod in a gang, from its hold's start or a restart of its
// container to the next one or the hold's end.
type member struct {
	h               *heldPod
	from, to        int64
	outcome, reason string
}

// parts is rule 6.6b: restarts of the container that a scrape saw.
func (t *truth) parts(h *heldPod) []member {
	out := []member{{h, h.from, h.to, h.outcome, h.reason}}
	for _, r := range h.p.Restarts {
		seen, _ := t.kubeTicks(r.At, fleetsim.PodRemoved(t.World, h.p))
		last := &out[len(out)-1]
		if seen == 0 || r.Reason == "Completed" || r.At <= last.from || r.At >= last.to {
			continue
		}
		rest := *last
		rest.from = r.At
		last.to, last.outcome, last.reason = r.At, "failed", r.Reason
		if r.Reason == "OOMKilled" {
			last.outcome = "oom"
		}
		out = append(out, rest)
	}
	return out
}

// suspended reports whether the pod ended because its Job was suspended, as seen by scrapes.
func (t *truth) suspended(h *heldPod) bool {
	if h.p.SuspendedAt == 0 {
		return false
	}
	event, _ := t.kubeTicks(h.p.SuspendedAt, t.World.To)
	return event != 0 && event <= h.to && h.to-event <= 300
}

// gang is rule 6.6.
func (t *truth) gang(r *Run, pods []*heldPod) {
	var waiting []member
	for _, h := range pods {
		waiting = append(waiting, t.parts(h)...)
	}
	everybody := slices.Clone(waiting)
	for number := 1; len(waiting) > 0; number++ {
		slices.SortStableFunc(waiting, func(a, b member) int {
			return cmp.Or(cmp.Compare(a.from, b.from), strings.Compare(a.h.p.UID, b.h.p.UID))
		})
		start := waiting[0].from
		var breaker *member
		for i := range waiting {
			m := &waiting[i]
			if m.outcome == "succeeded" || m.outcome == "running" || m.to <= start || goesOnWithout(waiting, everybody, m) {
				continue
			}
			if breaker == nil || m.to < breaker.to || m.to == breaker.to && m.h.p.UID < breaker.h.p.UID {
				breaker = m
			}
		}
		a := &Attempt{RunID: r.ID, Number: number, StartedAt: start}
		var in, later []member
		if breaker == nil {
			in = waiting
			a.Outcome = "succeeded"
			for _, m := range in {
				a.EndAt = max(a.EndAt, m.to)
				if m.outcome == "running" {
					a.Outcome = "running"
				}
				m.h.segments = append(m.h.segments, segment{
					attempt: a, from: m.from, to: m.to, alone: goesOnWithout(waiting, everybody, &m),
				})
			}
			a.Reason = lastReason(in, everybody)
		} else {
			a.EndAt, a.Outcome, a.Reason = breaker.to, breaker.outcome, breaker.reason
			for _, m := range waiting {
				switch {
				case m.from >= breaker.to:
					later = append(later, m)
				case m.to > breaker.to+teardown, m.outcome == "running" && m.to > breaker.to:
					in = append(in, m)
					m.h.segments = append(m.h.segments, segment{attempt: a, from: m.from, to: breaker.to})
					rest := m
					rest.from = breaker.to
					later = append(later, rest)
				default:
					in = append(in, m)
					m.h.segments = append(m.h.segments, segment{
						attempt: a, from: m.from, to: m.to, alone: goesOnWithout(waiting, everybody, &m),
					})
					a.EndAt = max(a.EndAt, m.to)
				}
			}
		}
		a.overheadA = start + t.rules.OverheadLimit
		for _, m := range in {
			a.PodUIDs = append(a.PodUIDs, m.h.p.UID)
			together := map[string]bool{} // who holds when m joins
			for _, o := range in {
				if o.from <= m.from && m.from < o.to {
					together[o.h.p.Member] = true
				}
			}
			if len(together) == r.World && (a.GangComplete == 0 || m.from < a.GangComplete) {
				a.GangComplete = m.from
				a.overheadA = min(start+t.rules.OverheadLimit, m.from)
			}
		}
		t.out.Attempts = append(t.out.Attempts, *a)
		waiting = later
	}
}

// loss is rules 6.9 and 6.10.
func (t *truth) loss(r *Run, a *Attempt, pods []*heldPod) {
	names := map[string]bool{}
	for _, h := range pods {
		if slices.Contains(a.PodUIDs, h.p.UID) {
			names[h.p.NS+"/"+h.p.Name] = true
		}
	}
	var saved []int64
	for _, p := range t.World.Pods {
		if !names[p.NS+"/"+p.Name] {
			continue
		}
		for at := world.CeilTo(max(p.Started, t.World.From), world.CheckpointSecond); at < min(p.End, t.World.To); at += 60 {
			if v := fleetsim.GaugeAt(p, at); v > a.StartedAt && v <= a.EndAt {
				saved = append(saved, v)
				a.LastCheckpoint = max(a.LastCheckpoint, v)
			}
		}
	}
	defer t.memberLoss(r, a, pods, saved) // after the attempt's own
	if a.Outcome == "unknown" && r.Kind != "inference" {
		a.MayLoseFrom = cmp.Or(a.LastCheckpoint, a.StartedAt)
	}
	if !t.loses(a.Outcome) || r.Kind == "inference" {
		return
	}
	a.LossBasis, a.LossFrom, a.lossTo = "none", a.StartedAt, a.EndAt
	if a.LastCheckpoint != 0 {
		a.LossBasis, a.LossFrom = "checkpoint", a.LastCheckpoint
	}
}
