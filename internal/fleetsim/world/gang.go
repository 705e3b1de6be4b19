package world

import (
	"fmt"
	"strconv"
)

// gangRun is one PyTorchJob over its tries.
type gangRun struct {
	team        Team
	name        string
	labels      []Label
	checkpoint  int64 // seconds between checkpoints, 0 = none
	lastSeen    int64 // newest checkpoint that a scrape saw
	level       int64
	stallChance int64
}

// place is where one member of a try runs.
type place struct {
	node  *Node
	slots []SlotRef
}

type tryEnd int

const (
	tryDone     tryEnd = iota // all members succeed
	tryFail                   // one member exits with an error
	tryOOM                    // one member is killed for memory
	tryNode                   // the caller ends the node of member last
	tryCancel                 // the user deletes the job
	trySurvivor               // as tryNode, but the others wait for a replacement
)

// try lets the gang run once from t. work is the productive time; the try ends at the returned instant, when all its
// members are gone (or survive).
func (b *builder) try(g *gangRun, at []place, t, work int64, how tryEnd, keep []*Pod) (pods []*Pod, fail, end int64) {
	r := b.r
	complete := t
	for i, pl := range at {
		if keep != nil && keep[i] != nil {
			pods = append(pods, keep[i])
			continue
		}
		p := b.member(g, i, pl, t)
		complete = max(complete, p.Scheduled)
		pods = append(pods, p)
	}
	active := complete + r.Between(150, 700)
	fail = active + work
	b.activity(g, pods, active, fail)
	end = fail
	switch how {
	case tryDone:
		for _, p := range pods {
			stop := fail + 75 + r.Between(0, 25)
			b.finish(p, stop, ExitSucceeded, "Completed")
			end = max(end, stop)
		}
	case tryFail, tryOOM:
		reason := "Error"
		if how == tryOOM {
			reason = "OOMKilled"
		}
		b.finish(pods[len(pods)-1], fail, ExitFailed, reason)
		for _, p := range pods[:len(pods)-1] {
			stop := fail + r.Between(40, 150)
			b.finish(p, stop, exitDeleted, "")
			end = max(end, stop)
		}
	case tryNode:
		for _, p := range pods[:len(pods)-1] {
			stop := fail + r.Between(40, 160)
			b.finish(p, stop, exitDeleted, "")
			end = max(end, stop)
		}
	case tryCancel:
		for _, p := range pods {
			b.finish(p, fail, exitDeleted, "")
			p.Deletion = fail - 75
		}
	case trySurvivor: // the last member goes with its node, the caller ends it
	}
	return pods, fail, end
}

func (b *builder) member(g *gangRun, i int, pl place, t int64) *Pod {
	r := b.r
	role, index := "master", "0"
	if i > 0 {
		role, index = "worker", strconv.Itoa(i-1)
	}
	wait := r.Between(3, 40)
	switch {
	case i > 0 && r.Chance(12):
		wait = r.Between(1500, 2600) // a straggler beyond the overhead limit
	case i > 0 && r.Chance(40):
		wait = r.Between(60, 600)
	}
	p := &Pod{NS: g.team.NS, Name: fmt.Sprintf("%s-%s-%s", g.name, role, index), Node: pl.node, OwnerKind: "PyTorchJob",
		OwnerName: g.name, RootKind: "PyTorchJob", RootName: g.name,
		Container: "pytorch", Requests: gpus(int64(len(pl.slots))),
		Created: t, Scheduled: t + wait, Slots: pl.slots, Member: role + "/" + index,
		MemMiB: pl.node.Type.MemMiB * r.Between(70, 92) / 100}
	p.Started = p.Scheduled + r.Between(20, 100)
	p.Labels = append(append([]Label{}, g.labels...),
		Label{"label_training_kubeflow_org_job_name", g.name},
		Label{"label_training_kubeflow_org_replica_type", role},
		Label{"label_training_kubeflow_org_replica_index", index})
	p.Restored = g.lastSeen
	return b.add(p)
}

// activity gives all members the same productive phases with their stalls, and
// checkpoints to the first member.
func (b *builder) activity(g *gangRun, pods []*Pod, active, fail int64) {
	r := b.r
	var busy []phase
	for t := active; t < fail; {
		step := min(r.Between(5400, 14400), fail-t)
		busy = append(busy, phase{Span{t, t + step}, g.level + r.Between(-300, 200), 350})
		t += step
		if t < fail && r.Chance(g.stallChance) { // the data loader stalls
			stall := min(r.Between(9*60, 45*60), fail-t)
			busy = append(busy, phase{Span{t, t + stall}, 240, 200})
			if stall >= 16*60 {
				b.plant("stalled_training", g.team.NS+"/"+g.name, t, t+stall)
			}
			t += stall
		}
	}
	for _, p := range pods {
		p.phases = append(p.phases, busy...)
	}
	if g.checkpoint == 0 {
		return
	}
	first := pods[0]
	for t := active + g.checkpoint; t < fail; t += g.checkpoint + r.Between(-90, 90) {
		first.Checkpoints = append(first.Checkpoints, t)
	}
}

// seen updates the newest checkpoint of the run that a scrape saw.
func (b *builder) seen(g *gangRun, p *Pod) {
	for i, c := range p.Checkpoints {
		until := p.End
		if i+1 < len(p.Checkpoints) {
			until = p.Checkpoints[i+1]
		}
		if first, _ := b.Ticks(CheckpointSecond, c, min(until, p.End), nil); first != 0 {
			g.lastSeen = c
		}
	}
}

func (b *builder) newGang(t Team, stage string, level int64) *gangRun {
	r := b.r
	model := Pick(r, t.models)
	g := &gangRun{team: t, name: b.runName(model + "-" + stage), level: level, stallChance: 35}
	g.labels = teamLabels(t, stage, model)
	if l, in := pipelineOf(model, b.seq); in {
		g.labels = append(g.labels, l)
	}
	experiment := ""
	if r.Chance(40) {
		experiment = "exp-" + r.Word(4)
		g.labels = append(g.labels, Label{"label_experiment", experiment})
	}
	g.labels = append(g.labels, budgetLabel(b.Config.Size, t, experiment)...)
	if r.Chance(50) {
		g.labels = append(g.labels, Label{"label_max_cost_per_run", strconv.FormatInt(r.Between(2, 60)*50, 10)})
	} else if stage == "fine-tuning" {
		g.labels = append(g.labels, Label{"label_max_cost_per_run", "1000"})
	}
	if r.Chance(10) {
		g.labels = append(g.labels, Label{"label_gpuledger_io_run_id", "run-" + r.Word(8)})
	}
	if !r.Chance(18) {
		g.checkpoint = r.Between(20, 70) * 60
	} else {
		b.plant("no_checkpoint", t.NS+"/"+g.name, b.from, b.To)
	}
	return g
}
