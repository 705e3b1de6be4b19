package facts

import (
	"context"
	"maps"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// replacing merges a staged fact into the stored one, except that a stated fact replaces it (docs/rules.md 10.1).
func replacing[F any](merge func(stored, staged F) F, stated func(*F) bool) func(stored, staged F) F {
	return func(stored, staged F) F {
		if stated(&staged) {
			return staged
		}
		return merge(stored, staged)
	}
}

// retract removes what earlier imports stated about the attempts that this import states again and this import no
// longer states: other machines, pods, devices and checkpoints. Repeated statements are replaced when they merge. Lives
// that are identified by a clock time and were read in another time zone are removed completely.
func (t *telemetryStage) retract(ctx context.Context) error {
	stated := map[string]struct{}{}
	var clusters, uids, clocks []string
	var created []period.Second
	for k, w := range t.workloads {
		if ledger.IsByClock(w.Statement) {
			clocks, created = append(clocks, w.Statement), append(created, w.Created)
		} else if w.Statement != "" {
			stated[w.Statement] = struct{}{}
			clusters, uids = append(clusters, k.cluster), append(uids, k.uid)
		}
	}
	var of segmentKeys
	var starts []string
	var from []period.Second
	for k, s := range t.segments {
		if ledger.IsByClock(s.Statement) {
			starts, from = append(starts, s.Statement), append(from, k.from)
		} else if s.Statement != "" {
			stated[s.Statement] = struct{}{}
			of.add(k)
		}
	}
	if len(clocks) > 0 {
		if err := t.uncover(ctx, clocks, created); err != nil {
			return err
		}
		if _, err := pg.Exec(ctx, t.tx, "telemetry.retract_moved", pg.Tenant, clocks, created); err != nil {
			return err
		}
	}
	if len(starts) > 0 {
		if _, err := pg.Exec(ctx, t.tx, "telemetry.retract_moved_segments", pg.Tenant, starts, from); err != nil {
			return err
		}
	}
	if len(stated) == 0 {
		return nil
	}
	names := slices.Sorted(maps.Keys(stated))
	for _, next := range [][2]string{{"next_placements", "placements"}, {"next_checkpoints", "checkpoint_facts"}} {
		if err := t.makeNext(ctx, next[0], next[1]); err != nil {
			return err
		}
	}
	for _, r := range []struct {
		name string
		kept []any
	}{
		{"telemetry.retract_placements", nil}, // before the workloads, which say whose they are
		{"telemetry.retract_checkpoints", nil},
		{"telemetry.retract_workloads", []any{clusters, uids}},
		{"telemetry.retract_segments", []any{of.clusters, of.namespaces, of.pods, of.runs, of.attempts, of.from}},
	} {
		if _, err := pg.Exec(ctx, t.tx, r.name, append([]any{pg.Tenant, names}, r.kept...)...); err != nil {
			return err
		}
	}
	return nil
}

// segmentKeys are the keys of segments as columns.
type segmentKeys struct {
	clusters, namespaces, pods, runs []string
	attempts                         []int32
	from                             []period.Second
}

func (s *segmentKeys) add(k segmentKey) {
	s.clusters, s.namespaces, s.pods = append(s.clusters, k.cluster), append(s.namespaces, k.namespace),
		append(s.pods, k.pod)
	s.runs, s.attempts, s.from = append(s.runs, k.run), append(s.attempts, k.attempt), append(s.from, k.from)
}
