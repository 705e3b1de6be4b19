package facts

import (
	"context"
	"maps"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// replacing merges a staged fact into the stored one, but where somebody states
// it: then the staged one stands for itself (docs/rules.md 10.1).
func replacing[F any](merge func(stored, staged F) F, stated func(*F) bool) func(stored, staged F) F {
	return func(stored, staged F) F {
		if stated(&staged) {
			return staged
		}
		return merge(stored, staged)
	}
}

// retract takes back what earlier imports said of attempts that this one states
// again, as far as it does not say it any more: other machines, pods, devices
// and checkpoints. What it does say again is replaced when it is merged. Lives that are
// named by a clock and were read in another zone go whole.
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
		{"telemetry.retract_placements", nil}, // before the workloads that say whose they are
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

// segmentKeys are keys of segments as columns.
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
