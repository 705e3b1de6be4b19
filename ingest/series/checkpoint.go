package series

import "gpuledger/internal/ledger"

// checkpointMetrics are gauges that hold the time of the last checkpoint.
var checkpointMetrics = []string{"training_last_checkpoint_timestamp_seconds", "gpuledger_last_checkpoint_timestamp_seconds"}

// checkpointSink stores the distinct values of one checkpoint gauge.
type checkpointSink struct {
	at    ledger.Checkpoint
	epoch uint32
}

func bindCheckpoint(c *Collector, _ string, ls Labels) sink {
	ns, pod := ls.own("namespace"), ls.own("pod")
	if ns == "" || pod == "" {
		return refuse{faultNoPod}
	}
	return &checkpointSink{at: ledger.Checkpoint{Cluster: c.cluster(ls), Namespace: ns, Pod: pod, Step: -1}}
}

func (s *checkpointSink) sample(c *Collector, _ int64, d Decimal) *Fault {
	t, f := c.instant(d)
	if f != nil {
		return f
	}
	if s.epoch != c.epoch || s.at.At != t {
		s.epoch, s.at.At = c.epoch, t
		if _, ok := c.checkpoints[s.at]; !ok {
			c.checkpoints[s.at] = struct{}{}
			c.pending++
		}
	}
	return nil
}
