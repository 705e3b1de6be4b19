package fleetsim

// restarts lets containers of some jobs fail and begin again inside their pod.
func (b *builder) restarts() {
	r := b.r
	for _, p := range b.pods {
		isJob := p.rootKind == "Job" || p.rootKind == "PyTorchJob"
		if !isJob || len(p.slots) == 0 || p.end-p.started < 40*60 || !r.chance(12) {
			continue
		}
		at := p.started + r.between(600, p.end-p.started-900)
		p.restarts = append(p.restarts, restart{at, pick(r, []string{"Error", "OOMKilled", "Error", "Completed"})})
		if second := at + r.between(700, 5400); second < p.end-600 && r.chance(25) {
			p.restarts = append(p.restarts, restart{second, "Error"})
		}
	}
}

// suspendedJob is a Job that Kueue takes the card from for a while, to give it
// back later: its pod writes a checkpoint and goes, another begins.
func (b *builder) suspendedJob(at slotRef, t int64) int64 {
	r := b.r
	who := pick(r, []team{research, vision})
	name := b.runName(pick(r, who.models) + "-queued")
	o := &object{kind: "Job", ns: who.ns, name: name, created: t, completions: 1, parallelism: 1}
	b.objects = append(b.objects, o)
	try := func(from int64) *pod {
		p := &pod{ns: who.ns, name: name + "-" + r.word(5), node: at.dev.node, ownerKind: "Job", ownerName: name, rootKind: "Job", rootName: name,
			container: "main", requests: b.profileAt(at, from), created: from, scheduled: from + r.between(2, 50), slots: []slotRef{at}, task: "0", memMiB: 9000}
		p.started = p.scheduled + r.between(8, 60)
		p.labels = append(teamLabels(who, "training", ""), label{"label_batch_kubernetes_io_job_name", name}, label{"label_kueue_x_k8s_io_queue_name", "shared"})
		return b.add(p)
	}
	first := try(t)
	taken := first.started + r.between(20*60, 90*60)
	for taken%86400 < 1800 || b.nearGap(taken) {
		taken += 1800
	}
	first.phases = []phase{{span{first.started + 120, taken}, 8800, 400}}
	first.suspendedAt = taken
	b.finish(first, taken+r.between(70, 200), exitDeleted, "")
	back := taken + r.between(10*60, 3*3600)
	o.suspended = []span{{taken, back}}
	b.book([]*pod{first})
	if first.exit == exitRunning || back >= b.to {
		return back
	}
	second := try(back + r.between(1, 5))
	stop := second.started + r.between(30*60, 2*3600)
	second.phases = []phase{{span{second.started + 120, stop}, 8800, 400}}
	b.finish(second, stop, exitSucceeded, "Completed")
	b.book([]*pod{second})
	o.removed = second.removed
	return second.end
}

// nearGap reports whether kube-state-metrics are silent around t.
func (b *builder) nearGap(t int64) bool {
	for _, g := range b.ksmGaps {
		if g.from < t+600 && g.to > t-600 {
			return true
		}
	}
	return false
}
