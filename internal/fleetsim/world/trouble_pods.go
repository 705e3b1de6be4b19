package world

// restarts lets containers of some jobs fail and begin again inside their pod.
func (b *builder) restarts() {
	r := b.r
	for _, p := range b.Pods {
		isJob := p.RootKind == "Job" || p.RootKind == "PyTorchJob"
		if !isJob || len(p.Slots) == 0 || p.End-p.Started < 40*60 || !r.Chance(12) {
			continue
		}
		at := p.Started + r.Between(600, p.End-p.Started-900)
		p.Restarts = append(p.Restarts, Restart{at, Pick(r, []string{"Error", "OOMKilled", "Error", "Completed"})})
		if second := at + r.Between(700, 5400); second < p.End-600 && r.Chance(25) {
			p.Restarts = append(p.Restarts, Restart{second, "Error"})
		}
	}
}

// suspendedJob is a Job that Kueue takes the card from for a while, to give it
// back later: its pod writes a checkpoint and goes, another begins.
func (b *builder) suspendedJob(at SlotRef, t int64) int64 {
	r := b.r
	who := Pick(r, []Team{Research, Vision})
	name := b.runName(Pick(r, who.models) + "-queued")
	o := &Object{Kind: "Job", NS: who.NS, Name: name, Created: t, Completions: 1, Parallelism: 1}
	b.Objects = append(b.Objects, o)
	try := func(from int64) *Pod {
		p := &Pod{NS: who.NS, Name: name + "-" + r.Word(5), Node: at.dev.Node, OwnerKind: "Job", OwnerName: name,
			RootKind: "Job", RootName: name,
			Container: "main", Requests: b.profileAt(at, from), Created: from,
			Scheduled: from + r.Between(2, 50), Slots: []SlotRef{at}, Task: "0", MemMiB: 9000}
		p.Started = p.Scheduled + r.Between(8, 60)
		p.Labels = append(teamLabels(who, "training", ""), Label{"label_batch_kubernetes_io_job_name", name},
			Label{"label_kueue_x_k8s_io_queue_name", "shared"})
		return b.add(p)
	}
	first := try(t)
	taken := first.Started + r.Between(20*60, 90*60)
	for taken%86400 < 1800 || b.nearGap(taken) {
		taken += 1800
	}
	first.phases = []phase{{Span{first.Started + 120, taken}, 8800, 400}}
	first.SuspendedAt = taken
	b.finish(first, taken+r.Between(70, 200), exitDeleted, "")
	back := taken + r.Between(10*60, 3*3600)
	o.Suspended = []Span{{taken, back}}
	b.book([]*Pod{first})
	if first.Exit == exitRunning || back >= b.To {
		return back
	}
	second := try(back + r.Between(1, 5))
	stop := second.Started + r.Between(30*60, 2*3600)
	second.phases = []phase{{Span{second.Started + 120, stop}, 8800, 400}}
	b.finish(second, stop, ExitSucceeded, "Completed")
	b.book([]*Pod{second})
	o.Removed = second.Removed
	return second.End
}

// nearGap reports whether kube-state-metrics are silent around t.
func (b *builder) nearGap(t int64) bool {
	for _, g := range b.KSMGaps {
		if g.From < t+600 && g.To > t-600 {
			return true
		}
	}
	return false
}
