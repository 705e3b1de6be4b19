package series

import (
	"cmp"
	"slices"

	"gpuledger/internal/ledger"
)

// Gauges of training: the time of its last complete checkpoint, and how long writing it took.
var (
	checkpointMetrics = []string{
		"training_last_checkpoint_timestamp_seconds", "gpuledger_last_checkpoint_timestamp_seconds",
	}
	checkpointDurationMetrics = []string{
		"training_last_checkpoint_duration_seconds", "gpuledger_last_checkpoint_duration_seconds",
	}
)

// trainer is a pod that reports its checkpoints.
type trainer struct{ cluster, namespace, pod string }

func trainerOf(c *Collector, ls Labels) (trainer, bool) {
	t := trainer{c.cluster(ls), ls.own("namespace"), ls.own("pod")}
	return t, t.namespace != "" && t.pod != ""
}

// writing is the duration of the newest checkpoint, over consecutive samples with the same
// value.
type writing struct{ from, to, took int64 } // milliseconds

// checkpointSink stores the distinct values of one checkpoint gauge, with the first sample of
// each.
type checkpointSink struct {
	at    ledger.Checkpoint
	epoch uint32
}

func bindCheckpoint(c *Collector, _ string, ls Labels) sink {
	t, ok := trainerOf(c, ls)
	if !ok {
		return refuse{faultNoPod}
	}
	return &checkpointSink{at: ledger.Checkpoint{Cluster: t.cluster, Namespace: t.namespace, Pod: t.pod, Step: -1}}
}

func (s *checkpointSink) sample(c *Collector, ms int64, d Decimal) *Fault {
	t, f := c.instant(d)
	if f != nil {
		return f
	}
	if s.epoch != c.epoch || s.at.At != t {
		s.epoch, s.at.At = c.epoch, t
		if first, ok := c.checkpoints[s.at]; !ok || ms < first {
			c.checkpoints[s.at] = ms
			c.pending++
		}
	}
	return nil
}

// writingSink stores the changes of one duration gauge.
type writingSink struct {
	of    trainer
	last  *writing
	epoch uint32
}

func bindWriting(c *Collector, _ string, ls Labels) sink {
	t, ok := trainerOf(c, ls)
	if !ok {
		return refuse{faultNoPod}
	}
	return &writingSink{of: t}
}

func (s *writingSink) sample(c *Collector, ms int64, d Decimal) *Fault {
	switch {
	case d.kind == nan || d.IsZero():
		return Absent // no checkpoint yet
	case d.kind == infinite:
		return faultInfinite
	case d.neg:
		return faultNegative
	}
	took, ok := d.floor(3)
	if !ok || took > int64(ledger.CheckpointLimit) {
		return faultWriting
	}
	if s.epoch != c.epoch || s.last.took != took || ms < s.last.to {
		s.epoch, s.last = c.epoch, &writing{ms, ms, took}
		c.writings[s.of] = append(c.writings[s.of], s.last)
		c.pending++
	}
	s.last.to = ms
	return nil
}

// takeCheckpoints lists the checkpoints seen. A checkpoint's duration is the duration gauge's
// value at the checkpoint's first sample; without a value then, in this batch of samples, the
// duration is unknown.
func (c *Collector) takeCheckpoints() []ledger.Checkpoint {
	var out []ledger.Checkpoint
	for k, first := range c.checkpoints {
		for _, w := range c.writings[trainer{k.Cluster, k.Namespace, k.Pod}] {
			if w.from <= first && first <= w.to {
				k.Took = max(k.Took, w.took)
			}
		}
		out = append(out, k)
	}
	slices.SortFunc(out, func(a, b ledger.Checkpoint) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Pod, b.Pod),
			cmp.Compare(a.At, b.At))
	})
	return out
}
