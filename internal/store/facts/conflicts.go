package facts

import (
	"context"

	"gpuledger/internal/store/pg"
)

// Properties that cannot have two values (docs/rules.md 10.2).
const (
	conflictNode   = "workload_node"
	conflictOwner  = "workload_owner"
	conflictDevice = "device_node" // by telemetry.device_conflicts
)

// lostValue is a value of a workload that was discarded for another. Every value except the kept one is recorded,
// whatever the order of arrival.
type lostValue struct{ what, cluster, uid, value string }

// mergeWorkload merges two facts of one workload and records the discarded values of properties that cannot have two.
func (t *telemetryStage) mergeWorkload(a, b workloadFact) workloadFact {
	if a.Node != b.Node && a.Node != "" && b.Node != "" {
		t.lost[lostValue{conflictNode, a.Cluster, a.UID, min(a.Node, b.Node)}] = struct{}{}
	}
	m := mergeWorkload(a, b)
	if a.OwnerKind != "" && b.OwnerKind != "" && (a.OwnerKind != b.OwnerKind || a.OwnerName != b.OwnerName) {
		loser := a
		if m.OwnerKind == a.OwnerKind && m.OwnerName == a.OwnerName {
			loser = b
		}
		t.lost[lostValue{conflictOwner, a.Cluster, a.UID, loser.OwnerKind + "/" + loser.OwnerName}] = struct{}{}
	}
	return m
}

// mergeConflicts stores the values that were discarded while workloads were merged.
func (t *telemetryStage) mergeConflicts(ctx context.Context) error {
	if len(t.lost) == 0 {
		return nil
	}
	lost := make([]lostValue, 0, len(t.lost))
	for v := range t.lost {
		lost = append(lost, v)
	}
	if err := stageRows(ctx, t, "conflicts", "fact_conflicts", lost, func(r *pg.Row, v *lostValue) error {
		r.Col("what").Text(v.what)
		r.Col("cluster").Text(v.cluster)
		r.Col("subject").Text(v.uid)
		r.Col("value").Text(v.value)
		return nil
	}); err != nil {
		return err
	}
	_, err := pg.Exec(ctx, t.tx, "telemetry.merge_conflicts", pg.Tenant)
	return err
}

// deviceConflicts records devices that two nodes report in the same hour. It must run before samples are merged:
// merging keeps only one node.
func (t *telemetryStage) deviceConflicts(ctx context.Context) (found bool, err error) {
	n, err := pg.Exec(ctx, t.tx, "telemetry.device_clashes")
	if err != nil || n == 0 {
		return false, err
	}
	_, err = pg.Exec(ctx, t.tx, "telemetry.device_conflicts", pg.Tenant, conflictDevice)
	return true, err
}

// settleDevices removes the hours that one place of a device lost to another from the device's row, so that the row
// follows from the samples, whatever the order of arrival.
func (t *telemetryStage) settleDevices(ctx context.Context) error {
	for _, name := range []string{"telemetry.forget_places", "telemetry.shrink_places"} {
		if _, err := pg.Exec(ctx, t.tx, name, pg.Tenant); err != nil {
			return err
		}
	}
	return nil
}
