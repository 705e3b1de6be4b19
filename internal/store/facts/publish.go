package facts

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// Publish merges the staged facts into the stored ones, marks the days they can affect, and commits. Facts without news
// write and mark nothing. Publishing is serialised, because merging reads before it writes.
func (t *telemetryStage) Publish(ctx context.Context) error {
	if t.done {
		return errors.New("the stage has ended")
	}
	t.done = true
	if err := t.publish(ctx); err != nil {
		pg.Rollback(ctx, t.tx)
		return fmt.Errorf("publish telemetry: %w", err)
	}
	if t.added < manyRows {
		return nil
	}
	return t.store.Refresh(ctx, FactStatistics)
}

func (t *telemetryStage) publish(ctx context.Context) error {
	for table, months := range t.months {
		if err := t.store.EnsureMonths(ctx, table, months); err != nil {
			return err
		}
	}
	for _, name := range []string{"telemetry.settings", "telemetry.create_stage"} {
		if _, err := pg.Exec(ctx, t.tx, name); err != nil {
			return err
		}
	}
	if _, err := pg.Exec(ctx, t.tx, "import.lock", pg.Tenant, "telemetry"); err != nil {
		return err
	}
	for _, merge := range []func(context.Context) error{
		t.retract, t.mergeNodes, t.mergeWorkloads, t.mergeObjects, t.mergeSegments, t.mergeConflicts,
		t.mergeSamples, t.mergeCounters, t.mergeHours,
	} {
		if err := merge(ctx); err != nil {
			return err
		}
	}
	if err := pg.MarkTouched(ctx, t.tx); err != nil {
		return err
	}
	return t.tx.Commit(ctx)
}

// mergeSamples inserts new hours unchanged and merges only hours that were staged more than once or differ from the
// stored ones.
func (t *telemetryStage) mergeSamples(ctx context.Context) error {
	if !t.staged["next_samples"] {
		return nil
	}
	for _, name := range []string{"telemetry.analyze_samples", "telemetry.create_changed"} {
		if _, err := pg.Exec(ctx, t.tx, name); err != nil {
			return err
		}
	}
	if _, err := pg.Exec(ctx, t.tx, "telemetry.match_samples"); err != nil {
		return err
	}
	clashes, err := t.deviceConflicts(ctx)
	if err != nil {
		return err
	}
	conflicts, err := pg.Exec(ctx, t.tx, "telemetry.sample_conflicts")
	if err != nil {
		return err
	}
	if _, err := pg.Exec(ctx, t.tx, "telemetry.analyze_sample_conflicts"); err != nil {
		return err
	}
	if t.added, err = pg.Exec(ctx, t.tx, "telemetry.insert_samples", pg.Tenant); err != nil {
		return err
	}
	if conflicts > 0 {
		if err := t.mergeVectors(ctx, "telemetry.sample_versions"); err != nil {
			return err
		}
		if _, err := pg.Exec(ctx, t.tx, "telemetry.merge_samples", pg.Tenant); err != nil {
			return err
		}
	}
	for _, name := range []string{
		"telemetry.mark_named", "telemetry.merge_devices", "telemetry.refresh_devices", "telemetry.merge_stretches",
		"telemetry.touch_layouts", "telemetry.touch_summaries",
	} {
		if _, err := pg.Exec(ctx, t.tx, name, pg.Tenant); err != nil {
			return err
		}
	}
	if clashes {
		if err := t.settleDevices(ctx); err != nil {
			return err
		}
	}
	_, err = pg.Exec(ctx, t.tx, "telemetry.touch_samples")
	return err
}

func (t *telemetryStage) mergeCounters(ctx context.Context) error {
	if !t.staged["next_counters"] {
		return nil
	}
	if _, err := pg.Exec(ctx, t.tx, "telemetry.analyze_counters"); err != nil {
		return err
	}
	conflicts, err := pg.Exec(ctx, t.tx, "telemetry.counter_conflicts")
	if err != nil {
		return err
	}
	if _, err := pg.Exec(ctx, t.tx, "telemetry.analyze_counter_conflicts"); err != nil {
		return err
	}
	if _, err := pg.Exec(ctx, t.tx, "telemetry.insert_counters", pg.Tenant); err != nil {
		return err
	}
	if _, err := pg.Exec(ctx, t.tx, "telemetry.mark_analysis", pg.Tenant); err != nil {
		return err
	}
	if conflicts == 0 {
		return nil
	}
	if err := t.mergeVectors(ctx, "telemetry.counter_versions"); err != nil {
		return err
	}
	_, err = pg.Exec(ctx, t.tx, "telemetry.merge_counters", pg.Tenant)
	return err
}

// mergedVectors is one key of the conflict table after merging.
type mergedVectors struct {
	n           int64
	first, last int
	packed      []byte
}

// mergeVectors reads the versions of every conflicting key, ordered by key number, and stages the merged vectors. It
// fetches 2,000 versions at a time.
func (t *telemetryStage) mergeVectors(ctx context.Context, versions string) error {
	for _, name := range []string{"telemetry.create_merged", versions} {
		if _, err := pg.Exec(ctx, t.tx, name); err != nil {
			return err
		}
	}
	var last *mergedVectors // may continue in the next fetch
	for more := true; more; {
		var ready []mergedVectors
		more = false
		err := pg.Query(ctx, t.tx, "telemetry.fetch_versions", func(rows pgx.Rows) error {
			more = true
			var n int64
			var packed []byte
			if err := rows.Scan(&n, &packed); err != nil {
				return err
			}
			if last != nil && last.n == n {
				var err error
				last.packed, err = minutes.MergeEncoded(last.packed, packed)
				return err
			}
			if last != nil {
				ready = append(ready, *last)
			}
			last = &mergedVectors{n: n, packed: packed}
			return nil
		})
		if err != nil {
			return err
		}
		if !more && last != nil {
			ready = append(ready, *last)
		}
		if err := t.copyMerged(ctx, ready); err != nil {
			return err
		}
	}
	_, err := pg.Exec(ctx, t.tx, "telemetry.close_versions")
	return err
}

func (t *telemetryStage) copyMerged(ctx context.Context, ready []mergedVectors) error {
	if _, err := pg.CopySlice(ctx, t.tx, pg.Statement("telemetry.copy_merged"), ready, encodeMerged); err != nil {
		return fmt.Errorf("telemetry.copy_merged: %w", err)
	}
	return nil
}

func encodeMerged(r *pg.Row, m *mergedVectors) error {
	vectors, err := minutes.Decode[ledger.Signal](m.packed)
	if err != nil {
		return err
	}
	m.first, m.last, _ = extent(vectors)
	r.Begin(4)
	r.Int8(m.n)
	r.Int4(m.first)
	r.Int4(m.last)
	r.Bytes(m.packed)
	return nil
}

// mergeHours merges facts that the server can merge alone: bit masks of hours, and facts whose parts take the larger
// value.
func (t *telemetryStage) mergeHours(ctx context.Context) error {
	if t.staged["next_evidence"] {
		if _, err := pg.Exec(ctx, t.tx, "telemetry.analyze_evidence"); err != nil {
			return err
		}
	}
	for _, m := range []struct {
		staged string
		names  []string
	}{
		// Most evidence of a running hour repeats stored evidence.
		{"next_evidence", []string{"telemetry.drop_known_evidence", "telemetry.new_pairs", "telemetry.merge_evidence"}},
		{"next_node_states", []string{"telemetry.merge_node_states"}},
		{"next_sources", []string{"telemetry.merge_sources"}},
		{"next_pod_states", []string{"telemetry.merge_pod_states"}},
		{"next_placements", []string{"telemetry.merge_placements"}},
		{"next_devices", []string{"telemetry.merge_device_facts"}},
		// Events and checkpoints mark nothing. They change the attempts derived from them, and SaveWorld marks that
		// difference.
		{"next_events", []string{"telemetry.merge_events"}},
		{"next_checkpoints", []string{"telemetry.merge_checkpoints"}},
	} {
		if !t.staged[m.staged] {
			continue
		}
		for _, name := range m.names {
			if _, err := pg.Exec(ctx, t.tx, name, pg.Tenant); err != nil {
				return err
			}
		}
	}
	_, err := pg.Exec(ctx, t.tx, "telemetry.touch_names", pg.Tenant)
	return err
}

// mergeFacts loads the stored facts of the staged keys, merges, and returns the changed facts.
func mergeFacts[K comparable, F any](
	staged map[K]F, load func(stored func(K, F)) error, merge func(a, b F) F, equal func(a, b F) bool,
) ([]F, error) {
	same := map[K]bool{}
	err := load(func(k K, stored F) {
		merged := merge(stored, staged[k])
		if equal(stored, merged) {
			same[k] = true
		}
		staged[k] = merged
	})
	if err != nil {
		return nil, err
	}
	changed := make([]F, 0, len(staged)-len(same))
	for k, f := range staged {
		if !same[k] {
			changed = append(changed, f)
		}
	}
	return changed, nil
}

// storeFacts writes changed facts.
func storeFacts[F any](ctx context.Context, t *telemetryStage, row *pg.Described[F], changed []F) error {
	if err := stageRows(ctx, t, row.Table, row.Table, changed, row.Encode); err != nil {
		return err
	}
	_, err := pg.Exec(ctx, t.tx, row.Table+".merge", pg.Tenant)
	return err
}

func (t *telemetryStage) mergeNodes(ctx context.Context) error {
	if len(t.nodes) == 0 {
		return nil
	}
	var clusters, names, instances []string
	for k := range t.nodes {
		clusters, names, instances = append(clusters, k.cluster), append(names, k.name), append(instances, k.instance)
	}
	var movedClusters, movedNames []string // whose CPU or memory changed
	changed, err := mergeFacts(t.nodes, func(stored func(nodeKey, nodeFact)) error {
		return nodeRow.Stored(ctx, t.tx, func(n nodeFact) {
			k := nodeKey{n.Cluster, n.Name, instanceID(n.ProviderID)}
			stored(k, n)
			was, is := n.capacity.m, t.nodes[k].capacity.m
			if was[ledger.ResourceCPU] != is[ledger.ResourceCPU] ||
				was[ledger.ResourceMemory] != is[ledger.ResourceMemory] {
				movedClusters, movedNames = append(movedClusters, k.cluster), append(movedNames, k.name)
			}
		}, clusters, names, instances)
	}, mergeNode, nodeFact.equal)
	if err != nil || len(changed) == 0 {
		return err
	}
	if err := storeFacts(ctx, t, nodeRow, changed); err != nil || len(movedNames) == 0 {
		return err
	}
	_, err = pg.Exec(ctx, t.tx, "telemetry.touch_capacity", pg.Tenant, movedClusters, movedNames)
	return err
}

func (t *telemetryStage) mergeWorkloads(ctx context.Context) error {
	if len(t.workloads) == 0 {
		return nil
	}
	var clusters, uids []string
	for k := range t.workloads {
		clusters, uids = append(clusters, k.cluster), append(uids, k.uid)
	}
	var movedClusters, movedUIDs []string // whose requests changed
	changed, err := mergeFacts(t.workloads, func(stored func(workloadKey, workloadFact)) error {
		return workloadRow.Stored(ctx, t.tx, func(w workloadFact) {
			k := workloadKey{w.Cluster, w.UID}
			stored(k, w)
			if !maps.Equal(w.requests.m, t.workloads[k].requests.m) {
				movedClusters, movedUIDs = append(movedClusters, k.cluster), append(movedUIDs, k.uid)
			}
		}, clusters, uids)
	}, replacing(t.mergeWorkload, func(w *workloadFact) bool {
		return w.Statement != "" && !ledger.IsByClock(w.Statement)
	}), workloadFact.equal)
	if err != nil || len(changed) == 0 {
		return err
	}
	if err := storeFacts(ctx, t, workloadRow, changed); err != nil || len(movedUIDs) == 0 {
		return err
	}
	_, err = pg.Exec(ctx, t.tx, "telemetry.touch_requests", pg.Tenant, movedClusters, movedUIDs)
	return err
}

func (t *telemetryStage) mergeObjects(ctx context.Context) error {
	if len(t.objects) == 0 {
		return nil
	}
	var clusters, kinds, namespaces, names []string
	var created []period.Second
	for k := range t.objects {
		clusters, kinds, namespaces = append(clusters, k.cluster), append(kinds, k.kind), append(namespaces, k.namespace)
		names, created = append(names, k.name), append(created, k.created)
	}
	changed, err := mergeFacts(t.objects, func(stored func(objectKey, objectFact)) error {
		return objectRow.Stored(ctx, t.tx, func(o objectFact) {
			stored(objectKey{o.Cluster, o.Kind, o.Namespace, o.Name, o.Created}, o)
		}, clusters, kinds, namespaces, names, created)
	}, replacing(mergeObject, func(o *objectFact) bool { return o.Kind == ledger.KindAttempts }), objectFact.equal)
	if err != nil || len(changed) == 0 {
		return err
	}
	return storeFacts(ctx, t, objectRow, changed)
}
