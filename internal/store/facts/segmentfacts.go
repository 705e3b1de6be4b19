package facts

import (
	"context"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// segmentFact is a ledger.SegmentFact whose changing parts have an order.
type segmentFact struct {
	ledger.SegmentFact
	labels  stamped[string]
	verdict verdict
}

type segmentKey struct {
	cluster, namespace, pod, run string
	attempt                      int32
	from                         period.Second
}

func (s *segmentFact) key() segmentKey {
	return segmentKey{s.Cluster, s.Namespace, s.Pod, s.Run, s.Attempt, s.From}
}

func newSegmentFact(f ledger.SegmentFact) segmentFact {
	for _, text := range [...]*string{&f.Namespace, &f.Pod, &f.Run, &f.Name, &f.Kind, &f.Group, &f.Statement} {
		*text = pg.CleanText(*text)
	}
	return segmentFact{
		f, stamp(pg.CleanMap(f.Labels), f.AttrsAt), newVerdict(f.Outcome, pg.CleanText(f.Reason), f.AttrsAt),
	}
}

func (s segmentFact) fact() ledger.SegmentFact {
	s.Labels, s.AttrsAt = s.labels.m, s.labels.at
	s.Outcome, s.Reason = s.verdict.outcome, s.verdict.reason
	return s.SegmentFact
}

// mergeSegment: a known end beats none and the latest end wins; fixed texts take the larger.
func mergeSegment(a, b segmentFact) segmentFact {
	a.To, a.Statement = max(a.To, b.To), max(a.Statement, b.Statement)
	a.Name, a.Kind, a.Group = max(a.Name, b.Name), max(a.Kind, b.Kind), max(a.Group, b.Group)
	a.labels, a.verdict = a.labels.merge(b.labels), a.verdict.merge(b.verdict)
	return a
}

func (s segmentFact) equal(o segmentFact) bool {
	return s.Statement == o.Statement && s.To == o.To && s.Name == o.Name && s.Kind == o.Kind && s.Group == o.Group &&
		s.labels.equal(o.labels) && s.verdict == o.verdict
}

// mergeSegments marks nothing. Segments change the attempts that the next allocation derives from them, and SaveWorld
// marks that difference.
func (t *telemetryStage) mergeSegments(ctx context.Context) error {
	if len(t.segments) == 0 {
		return nil
	}
	var of segmentKeys
	for k := range t.segments {
		of.add(k)
	}
	changed, err := mergeFacts(t.segments, func(stored func(segmentKey, segmentFact)) error {
		return segmentRow.Stored(ctx, t.tx, func(s segmentFact) { stored(s.key(), s) }, of.clusters, of.namespaces, of.pods,
			of.runs, of.attempts, of.from)
	}, replacing(mergeSegment,
		func(s *segmentFact) bool { return s.Statement != "" && !ledger.IsByClock(s.Statement) }), segmentFact.equal)
	if err != nil || len(changed) == 0 {
		return err
	}
	return storeFacts(ctx, t, segmentRow, changed)
}
