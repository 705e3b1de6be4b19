package world

import (
	"slices"
	"strconv"
)

// lints plays machines with configuration mistakes that no other scene shows, and next to each a similar case that is
// still allowed.
func (b *builder) lints() {
	b.r = NewRNG(b.Config.Seed, 72)
	b.besideServing()
	b.seldomSaving()
}

// besideServing is a time-sliced machine: on its first card jobs run next to a service for hours, on the second for
// less than an hour a day, on the third one after the other. The service selects no GPU model.
func (b *builder) besideServing() {
	r := b.r
	n := b.newNode(nodeOpts{
		typ: b.Site.shared, pool: "g6-mixed", replicas: 4, at: b.from + r.Between(5, 240), team: Platform.Name,
	})
	want := []Request{{"cpu", 2}, {"nvidia_com_gpu_shared", 1}}
	for base := b.from; base < b.To; base += 24 * 3600 {
		l := &lab{b, n, base}
		for i, v := range []struct{ opens, shuts, begins, ends int64 }{
			{100, 1400, 600, 1130}, {100, 1400, 600, 680}, {100, 900, 950, 1700},
		} {
			at := SlotRef{n.Devices[i], WholeDevice}
			service := l.replica(Ranking, "ranker-shared", at, l.at(v.opens), l.at(v.shuts), want)
			service.picks = []Label{}
			service.shared, service.phases = 1, b.traffic(service.Started+60, l.at(v.shuts), r.Between(1500, 3000))
			l.finish(service, l.at(v.shuts), exitDeleted, "")
			l.book([]*Pod{service})
			job := l.jobPod(Ranking, "refresh-index", []SlotRef{at}, l.at(v.begins), l.at(v.ends), 2000, ExitSucceeded)
			job.Requests, job.shared = want, 1
			job.phases = steady(job.Started+40, job.End, r.Between(3500, 5000))
		}
	}
}

// seldomSaving is a machine of trainers, one a day on each card: the first saves every two and a half hours, the second
// slightly more often than every two, the third often except for one long pause. The first has no node selector, the
// second selects a label of all machines with GPUs, the third a label of the company.
func (b *builder) seldomSaving() {
	n := b.newNode(nodeOpts{typ: b.Site.cut, pool: "p4d-seldom", at: b.from + b.r.Between(5, 240), team: Foundation.Name})
	for base := b.from; base < b.To; base += 24 * 3600 {
		l := &lab{b, n, base}
		l.trainingPod(Foundation, l.cards(0, 1), l.at(100), l.at(1400), 8800, &loadOrdinary, 9000).picks = []Label{}
		l.trainingPod(Foundation, l.cards(1, 1), l.at(100), l.at(1400), 8800, &loadOrdinary, 6900).picks =
			[]Label{{"nodeselector_kubernetes_io_arch", "amd64"}, {"nodeselector_nvidia_com_gpu_present", "true"}}
		paused := l.trainingPod(Foundation, l.cards(2, 1), l.at(100), l.at(1400), 8800, &loadOrdinary, 1800)
		paused.picks = []Label{{"nodeselector_pool", "trainers"}}
		if k := len(paused.Checkpoints); k > 16 {
			paused.Checkpoints = slices.Delete(paused.Checkpoints, 8, 14)
		}
	}
}

// sweeps are bare pods on a machine whose team is advised to move to spot, in the pauses of its training: no controller
// restarts them, and they save nothing. The first of three is over too soon to be reported, the second reports what it
// saved.
func (b *builder) sweeps(n *Node, pauses []int64) {
	b.r = NewRNG(b.Config.Seed, 73)
	for i, at := range pauses {
		p := &Pod{NS: Vision.NS, Name: "sweep-" + strconv.Itoa(i), Node: n, Container: "main", Requests: gpus(1),
			Created: at + 30, Scheduled: at + 35, Started: at + 50,
			Slots: wholeSlots(n, 0, 1), MemMiB: 6000, RootKind: "Pod", Task: "0"}
		p.RootName = p.Name
		p.Labels = append(teamLabels(Vision, "batch", ""), Label{"label_gpuledger_io_run_id", p.Name},
			Label{"label_gpuledger_io_workload_class", "run"})
		end := at + 18*60
		if i%3 == 0 {
			end = at + 14*60
		}
		p.phases = steady(at+60, end, 8000)
		if i%3 == 1 {
			p.Checkpoints = []int64{at + 8*60}
		}
		b.add(p)
		b.finish(p, end, ExitSucceeded, "Completed")
		b.book([]*Pod{p})
	}
}
