package truth

// goesOnWithout is the second half of rule 6.6: the gang does not need the member that ended badly. Of the members that
// still hold when it ends, another holds on for longer than teardown takes, and its place is not taken again before the
// last of these ends, or ever if all of them end badly.
func goesOnWithout(waiting, everybody []member, lost *member) bool {
	if lost.outcome == "succeeded" || lost.outcome == "running" {
		return false
	}
	until, endsWell, any := int64(0), false, false
	for _, o := range waiting {
		if o.h.p.Member == lost.h.p.Member || o.from >= lost.to || o.to <= lost.to {
			continue
		}
		if o.outcome == "running" || o.to-lost.to > teardown {
			any = true
			until = max(until, o.to)
			endsWell = endsWell || o.outcome == "running" || o.outcome == "succeeded"
		}
	}
	for _, o := range everybody {
		if o.h.p.Member == lost.h.p.Member && o.from >= lost.to && (o.from < until || !endsWell) {
			return false
		}
	}
	return any
}

// lastReason is the reason of the last end among the members that were lost alone.
func lastReason(in, everybody []member) string {
	var last *member
	for i := range in {
		m := &in[i]
		if goesOnWithout(in, everybody, m) && (last == nil || m.to > last.to || m.to == last.to && m.h.p.UID > last.h.p.UID) {
			last = m
		}
	}
	if last == nil {
		return ""
	}
	return last.reason
}

// memberLoss is rule 6.10 for members that were lost alone: since the last
// checkpoint of the attempt in their time, else all of it.
func (t *truth) memberLoss(r *Run, a *Attempt, pods []*heldPod, saved []int64) {
	for _, h := range pods {
		for i := range h.segments {
			s := &h.segments[i]
			if !s.alone || s.attempt.key() != a.key() || r.Kind == "inference" || !t.loses(h.outcome) {
				continue
			}
			s.lossFrom, s.unproven = s.from, true
			for _, v := range saved {
				if v > s.from && v <= s.to && v >= s.lossFrom {
					s.lossFrom, s.unproven = v, false
				}
			}
			switch {
			case s.unproven:
				a.LossBasis = "none"
			case a.LossBasis == "":
				a.LossBasis = "checkpoint"
			}
		}
	}
}

func (t *truth) loses(outcome string) bool {
	switch outcome {
	case "failed", "oom", "timeout", "preempted", "evicted", "node_failure":
		return true
	case "cancelled":
		return t.rules.LoseCancelled
	}
	return false
}
