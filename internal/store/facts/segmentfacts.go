package facts

import (
	"context"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
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
	return segmentFact{f, stamp(pg.CleanMap(f.Labels), f.AttrsAt), newVerdict(f.Outcome, pg.CleanText(f.Reason), f.AttrsAt)}
}

func (s segmentFact) fact() ledger.SegmentFact {
	s.Labels, s.AttrsAt = s.labels.m, s.labels.at
	s.Outcome, s.Reason = s.verdict.outcome, s.verdict.reason
	return s.SegmentFact
}

// mergeSegment: a known end beats none and the latest wins; texts that never
// change take the larger.
func mergeSegment(a, b segmentFact) segmentFact {
	a.To, a.Statement = max(a.To, b.To), max(a.Statement, b.Statement)
	a.Name, a.Kind, a.Group = max(a.Name, b.Name), max(a.Kind, b.Kind), max(a.Group, b.Group)
	a.labels, a.verdict = a.labels.merge(b.labels), a.verdict.merge(b.verdict)
	return a
}

func (s segmentFact) equal(o segmentFact) bool {
	return s.Statement == o.Statement && s.To == o.To && s.Name == o.Name && s.Kind == o.Kind && s.Group == o.Group && s.labels.equal(o.labels) && s.verdict == o.verdict
}

func scanSegmentFact(rows pgx.Rows) (s segmentFact, err error) {
	err = rows.Scan(&s.Cluster, &s.Namespace, &s.Pod, &s.Run, &s.Attempt, &s.From, &s.To, &s.Name, &s.Kind, &s.Group,
		&s.verdict.outcome, &s.verdict.reason, &s.verdict.at, &s.labels.m, &s.labels.at, &s.Statement)
	return s, err
}

// mergeSegments marks nothing: what a segment moves shows in the attempts that
// the next allocation derives from it, and SaveWorld marks their difference.
func (t *telemetryStage) mergeSegments(ctx context.Context) error {
	if len(t.segments) == 0 {
		return nil
	}
	var of segmentKeys
	for k := range t.segments {
		of.add(k)
	}
	changed, err := mergeFacts(t.segments, func(stored func(segmentKey, segmentFact)) error {
		return pg.Query(ctx, t.tx, "telemetry.stored_segments", func(rows pgx.Rows) error {
			s, err := scanSegmentFact(rows)
			stored(s.key(), s)
			return err
		}, pg.Tenant, of.clusters, of.namespaces, of.pods, of.runs, of.attempts, of.from)
	}, replacing(mergeSegment, func(s *segmentFact) bool { return s.Statement != "" && !ledger.IsByClock(s.Statement) }), segmentFact.equal)
	if err != nil || len(changed) == 0 {
		return err
	}
	if err := stageRows(ctx, t, "telemetry.copy_segments", "segment_facts", changed, encodeSegmentFact); err != nil {
		return err
	}
	_, err = pg.Exec(ctx, t.tx, "telemetry.merge_segments", pg.Tenant)
	return err
}

// ReadSegments adds stretches of attempts to a world.
func ReadSegments(ctx context.Context, tx pgx.Tx, w *posting.World) error {
	return pg.Query(ctx, tx, "world.segments", func(rows pgx.Rows) error {
		s, err := scanSegmentFact(rows)
		w.Segments = append(w.Segments, s.fact())
		return err
	}, pg.Tenant)
}
