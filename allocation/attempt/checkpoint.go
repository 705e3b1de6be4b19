package attempt

import (
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// checkpoints finds checkpoint times (rule 6.9): distinct times, ascending.
type checkpoints struct {
	byRun map[string][]period.Second
	byPod map[podKey][]period.Second
}

type podKey struct{ cluster, namespace, name string }

func newCheckpoints(all []ledger.Checkpoint) checkpoints {
	c := checkpoints{map[string][]period.Second{}, map[podKey][]period.Second{}}
	for i := range all {
		if p := &all[i]; p.Pod == "" {
			c.byRun[p.Run] = append(c.byRun[p.Run], p.At)
		} else {
			key := podKey{p.Cluster, p.Namespace, p.Pod}
			c.byPod[key] = append(c.byPod[key], p.At)
		}
	}
	for key, times := range c.byRun {
		c.byRun[key] = distinct(times)
	}
	for key, times := range c.byPod {
		c.byPod[key] = distinct(times)
	}
	return c
}

func distinct(times []period.Second) []period.Second {
	slices.Sort(times)
	return slices.Compact(times)
}

// of lists the checkpoints of a pod, by its name or uid; the sender may have left out the namespace and the cluster.
func (c checkpoints) of(p *pod) []period.Second {
	if len(c.byPod) == 0 {
		return nil
	}
	var found []period.Second
	for _, name := range []string{p.Name, p.UID} {
		for _, key := range []podKey{
			{p.Cluster, p.Namespace, name}, {p.Cluster, "", name}, {"", p.Namespace, name}, {"", "", name},
		} {
			if times := c.byPod[key]; len(found) == 0 {
				found = times
			} else if len(times) > 0 {
				found = distinct(append(slices.Clone(found), times...))
			}
			if p.Namespace == "" && p.Cluster == "" {
				break
			}
		}
	}
	return found
}

// ofRun lists the checkpoints posted for the run itself.
func (c checkpoints) ofRun(g *group) []period.Second {
	if g.label == "" || g.label == g.id || len(c.byRun[g.label]) == 0 {
		return c.byRun[g.id]
	}
	return distinct(slices.Concat(c.byRun[g.id], c.byRun[g.label]))
}
