package world

// trainingPair is two p5 nodes with back-to-back training: gangs over both,
// or smaller jobs side by side.
func (b *builder) trainingPair() {
	r := b.r
	planned := b.cell%2 == 0
	o := nodeOpts{typ: b.Site.Training, pool: b.pool("p5-training", "train"), planned: planned, team: Foundation.Name}
	o.at = b.from + r.Between(5, 200)
	a := b.newNode(o)
	o.at = b.from + r.Between(5, 200)
	c := b.newNode(o)
	if planned && b.Site.Provider == AWS {
		c.HalfHour = b.from + 3600*r.Between(5, 22)
	}
	b.preprocess(a)
	t := max(a.Created, c.Created) + r.Between(200, 900)
	for t < b.To {
		if r.Chance(65) {
			t = b.pairRun(a, c, t)
		} else {
			t = b.sideBySide(a, c, t)
		}
		t += r.Between(8*60, 70*60) // the nodes are free
	}
}

// pairRun is one gang over both nodes through all of its tries.
func (b *builder) pairRun(a, c *Node, t int64) int64 {
	r := b.r
	who := Foundation
	if b.cell%3 == 2 {
		who = Ranking
	}
	g := b.newGang(who, Pick(r, []string{"training", "training", "fine-tuning"}), r.Between(8800, 9700))
	at := []place{{a, wholeSlots(a, 0, 8)}, {c, wholeSlots(c, 0, 8)}}
	for n := 0; ; n++ {
		how, work := tryDone, r.Between(3*3600, 11*3600)
		if n < 3 && r.Chance(45) {
			how, work = Pick(r, []tryEnd{tryFail, tryOOM, tryOOM, tryCancel}), r.Between(25*60, 3*3600)
		}
		pods, _, end := b.try(g, at, t, work, how, nil)
		if end >= b.To {
			b.stay(pods)
		}
		b.book(pods)
		b.seen(g, pods[0])
		t = end + r.Between(250, 900)
		if how == tryDone || how == tryCancel || t >= b.To {
			return end
		}
	}
}

// sideBySide puts an eight-GPU job on one node and two halves on the other.
func (b *builder) sideBySide(a, c *Node, t int64) int64 {
	r := b.r
	end := b.single(Foundation, place{a, wholeSlots(a, 0, 8)}, t, r.Between(2*3600, 6*3600))
	end = max(end, b.single(Ranking, place{c, wholeSlots(c, 0, 4)}, t+r.Between(0, 300), r.Between(3600, 4*3600)))
	if r.Chance(60) {
		end = max(end, b.single(Speech, place{c, wholeSlots(c, 4, 4)}, t+r.Between(0, 900), r.Between(3600, 5*3600)))
	}
	return end
}

func (b *builder) single(who Team, at place, t, work int64) int64 {
	r := b.r
	g := b.newGang(who, Pick(r, []string{"fine_tuning", "training", "evaluation"}), r.Between(6000, 9300))
	if r.Chance(30) {
		pods, _, end := b.try(g, []place{at}, t, work/3, tryFail, nil)
		b.book(pods)
		b.seen(g, pods[0])
		if t = end + r.Between(250, 700); t >= b.To {
			return end
		}
	}
	pods, _, end := b.try(g, []place{at}, t, work, tryDone, nil)
	b.book(pods)
	return end
}

// stay lets pods continue beyond the data.
func (b *builder) stay(pods []*Pod) {
	for _, p := range pods {
		b.finish(p, b.To, exitRunning, "")
	}
}

// book puts pods on their slots once their ends are known. A pod that would only be scheduled after the end of the data
// is dropped.
func (b *builder) book(pods []*Pod) {
	for _, p := range pods {
		if p.Scheduled < b.To && p.Scheduled < p.End && len(p.Slots) > 0 && !p.booked {
			p.booked = true
			p.occupy()
		}
	}
}

// preprocess is a Deployment of CPU pods on a GPU node.
func (b *builder) preprocess(n *Node) {
	r := b.r
	rs := "data-preprocess-" + r.Word(9)
	b.Objects = append(b.Objects, &Object{
		Kind: "ReplicaSet", NS: Foundation.NS, Name: rs, OwnerKind: "Deployment",
		OwnerName: "data-preprocess", Created: n.Created + 60,
	})
	for range r.Between(1, 3) {
		p := &Pod{NS: Foundation.NS, Name: rs + "-" + r.Word(5), Node: n, OwnerKind: "ReplicaSet", OwnerName: rs,
			RootKind: "Deployment",
			RootName: "data-preprocess", Container: "worker", Requests: []Request{{"cpu", 16}},
			Labels:  teamLabels(Foundation, "preprocessing", ""),
			Created: n.Created + 60, Scheduled: n.Created + r.Between(62, 90)}
		p.Started = p.Scheduled + 5
		b.add(p)
	}
	b.plant("cpu_pods_on_gpu_node", n.Name, n.Created, b.To)
}

// spotPair is two spot positions with gangs of two; instances come and go.
func (b *builder) spotPair() {
	r := b.r
	launch := func(at int64) *Node {
		n := b.newNode(nodeOpts{typ: b.Site.Spot, pool: b.pool("g5-spot", "spot"), spot: true, at: at, team: Vision.Name})
		if r.Chance(40) {
			n.Rebal = append(n.Rebal, n.Created+r.Between(1800, 40000))
		}
		return n
	}
	at := [2]*Node{launch(b.from + r.Between(5, 260)), launch(b.from + r.Between(5, 260))}
	t := max(at[0].Created, at[1].Created) + r.Between(120, 600)
	for t < b.To {
		who := Vision
		if r.Chance(35) {
			who = Speech
		}
		g := b.newGang(who, Pick(r, []string{"training", "fine_tuning"}), r.Between(7000, 9400))
		var keep []*Pod
		for n := 0; t < b.To; n++ {
			how, work := tryDone, r.Between(2*3600, 7*3600)
			if n < 4 && r.Chance(55) {
				how, work = tryNode, r.Between(12*60, 4*3600)
				if r.Chance(30) {
					how = trySurvivor
				}
			}
			places := []place{{at[0], wholeSlots(at[0], 0, at[0].Type.GPUs)}, {at[1], wholeSlots(at[1], 0, at[1].Type.GPUs)}}
			pods, fail, end := b.try(g, places, t, work, how, keep)
			keep = nil
			if how == tryDone || fail >= b.To-900 {
				if how != tryDone {
					b.stay(pods)
				}
				b.book(pods)
				t = max(end, fail)
				break
			}
			lost := at[1]
			silent := !b.Site.events // the end of other clouds' machines has no event
			if how == tryNode {
				silent = silent || r.Chance(20) // the host dies without an event
			}
			if silent {
				if !b.Site.events && r.Chance(75) { // but most of them get a warning
					lost.Warned = fail - 30
				}
				b.endNode(lost, fail, true)
				end = lost.KubeEnd + r.Between(75, 200)
			}
			if silent && how == tryNode {
				b.finish(pods[0], end, exitDeleted, "")
			} else if !silent {
				lost.Warned = fail - 120
				b.endNode(lost, fail, false)
			}
			b.book(pods[1:])
			if how == trySurvivor {
				keep = []*Pod{pods[0], nil}
			} else {
				b.book(pods[:1])
			}
			b.seen(g, pods[0])
			at[1] = launch(end + r.Between(50, 500))
			t = at[1].Created + r.Between(40, 200)
		}
		if keep != nil {
			b.book(keep[:1])
		}
		t += r.Between(10*60, 100*60)
	}
}
