package store

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/posting"
)

// derivedTables are replaced as a whole by SaveWorld, each with the column
// that old and new rows are matched on.
var derivedTables = []struct{ table, key string }{
	{"nodes", "node_id"}, {"workloads", "workload_id"}, {"runs", "run_id"}, {"attempts", "attempt_id"}, {"segments", "attempt_id"},
}

// SaveWorld replaces nodes, workloads, runs, attempts and segments by w, adds
// its owners, and marks every (node, day) that the difference can move. Rows
// that did not change are not written; nothing is compared when all of it is
// what was saved last.
//
// Where nothing but the end of a hold, segment, running attempt or node life
// moved, only the days around the old and the new end are marked; otherwise
// the whole old and new extents.
func (s *Store) SaveWorld(ctx context.Context, w *posting.Derived) error {
	digest, err := digestOf(w)
	if err != nil {
		return err
	}
	return s.inTx(ctx, "save runs, attempts and nodes", func(tx pgx.Tx) error {
		var same bool
		err := tx.QueryRow(ctx, statement("world.unchanged"), tenant, digest, len(w.Nodes), len(w.Workloads), len(w.Runs), len(w.Attempts), len(segmentsOf(w)), len(w.Owners)).Scan(&same)
		if err != nil || same {
			return err
		}
		if _, err := exec(ctx, tx, "world.create_stage"); err != nil {
			return err
		}
		if err := stageDerived(ctx, tx, w); err != nil {
			return err
		}
		if _, err := exec(ctx, tx, "world.insert_owners", tenant); err != nil {
			return err
		}
		if _, err := exec(ctx, tx, "dirty.create_touched"); err != nil {
			return err
		}
		for _, name := range []string{"dirty.touch_nodes", "dirty.touch_workloads", "dirty.touch_attempts", "dirty.touch_segments", "dirty.touch_managed"} {
			if _, err := exec(ctx, tx, name, tenant); err != nil {
				return err
			}
		}
		for _, t := range derivedTables {
			fill := strings.NewReplacer(":table", t.table, ":key", t.key)
			for _, name := range []string{"world.delete_stale", "world.insert_new"} {
				if _, err := tx.Exec(ctx, fill.Replace(statement(name)), tenant); err != nil {
					return fmt.Errorf("%s of %s: %w", name, t.table, err)
				}
			}
		}
		if _, err := exec(ctx, tx, "world.remember", tenant, digest); err != nil {
			return err
		}
		return markTouched(ctx, tx)
	})
}

// digestOf identifies what is to be saved by what is stored of it.
func digestOf(w *posting.Derived) ([]byte, error) {
	h := sha256.New()
	segments := segmentsOf(w)
	for _, table := range []func() error{
		func() error { return hashRows(h, w.Nodes, encodeNode) },
		func() error { return hashRows(h, w.Owners, encodeOwner) },
		func() error { return hashRows(h, w.Workloads, encodeWorkload) },
		func() error { return hashRows(h, w.Runs, encodeRun) },
		func() error { return hashRows(h, w.Attempts, encodeAttempt) },
		func() error { return hashRows(h, segments, encodeSegment) },
	} {
		if err := table(); err != nil {
			return nil, fmt.Errorf("digest of runs, attempts and nodes: %w", err)
		}
	}
	return h.Sum(nil), nil
}

// hashRows writes rows as COPY would send them.
func hashRows[T any](h hash.Hash, rows []T, encode func(*row, *T) error) error {
	var r row
	for i := range rows {
		r.buf = r.buf[:0]
		if err := encode(&r, &rows[i]); err != nil {
			return err
		}
		h.Write(r.buf)
	}
	h.Write([]byte{0xff, 0xff}) // no tuple begins like that
	return nil
}

func stageDerived(ctx context.Context, tx pgx.Tx, w *posting.Derived) error {
	segments := segmentsOf(w)
	for _, stage := range []func() (int64, error){
		func() (int64, error) { return copySlice(ctx, tx, statement("world.copy_nodes"), w.Nodes, encodeNode) },
		func() (int64, error) {
			return copySlice(ctx, tx, statement("world.copy_owners"), w.Owners, encodeOwner)
		},
		func() (int64, error) {
			return copySlice(ctx, tx, statement("world.copy_workloads"), w.Workloads, encodeWorkload)
		},
		func() (int64, error) { return copySlice(ctx, tx, statement("world.copy_runs"), w.Runs, encodeRun) },
		func() (int64, error) {
			return copySlice(ctx, tx, statement("world.copy_attempts"), w.Attempts, encodeAttempt)
		},
		func() (int64, error) {
			return copySlice(ctx, tx, statement("world.copy_segments"), segments, encodeSegment)
		},
	} {
		if _, err := stage(); err != nil {
			return fmt.Errorf("stage: %w", err)
		}
	}
	return nil
}

func encodeNode(r *row, n *ledger.Node) error {
	r.begin(20)
	r.int4(tenant)
	r.id(n.ID)
	r.text(n.Cluster)
	r.text(n.Name)
	r.text(n.ProviderID)
	r.text(n.InstanceID)
	if err := r.object(n.Labels); err != nil {
		return err
	}
	if err := r.object(n.Tags); err != nil {
		return err
	}
	if n.Life.Empty() {
		r.null()
		r.null()
	} else {
		r.at(n.Life.From)
		r.at(n.Life.To)
	}
	r.name(n.InstanceType)
	r.name(n.Region)
	r.name(n.Zone)
	r.name(string(n.PriceClass))
	r.name(n.GPUModel)
	r.int4(n.GPUs)
	r.int4(max(n.Replicas, 1))
	r.name(n.Account)
	r.bool(n.InSource)
	r.ref(n.OwnerID)
	return nil
}

func encodeOwner(r *row, o *ledger.Owner) error {
	r.begin(16)
	r.int4(tenant)
	r.id(o.ID)
	for _, dimension := range [...]string{o.BusinessUnit, o.Team, o.Project, o.Model, o.ModelVersion, o.Stage, o.Environment,
		o.CostCenter, o.Experiment, o.Dataset, o.User, o.Priority, o.Queue} {
		r.name(dimension)
	}
	return r.object(o.Labels)
}

func encodeWorkload(r *row, w *ledger.Workload) error {
	r.begin(18)
	r.int4(tenant)
	r.id(w.ID)
	for _, text := range [...]string{w.Cluster, w.Namespace, w.Name, w.UID, w.Kind, w.Service, w.OwnerName, string(w.Class)} {
		r.text(text)
	}
	r.ref(w.NodeID)
	if w.Hold.Empty() {
		r.null()
		r.null()
	} else {
		r.at(w.Hold.From)
		r.at(w.Hold.To)
	}
	r.text(string(w.Outcome))
	r.text(w.Reason)
	r.name(w.RunID)
	r.ref(w.OwnerID)
	return r.object(w.Labels.Folded())
}

func encodeRun(r *row, v *ledger.Run) error {
	r.begin(20)
	r.int4(tenant)
	r.text(v.ID)
	r.name(v.GroupID)
	for _, text := range [...]string{v.Cluster, v.Namespace, v.Name, v.RootKind, v.Kind, v.Status} {
		r.text(text)
	}
	r.known(v.CreatedAt)
	r.known(v.StartedAt)
	r.known(v.EndedAt)
	r.int4(v.Attempts)
	r.int4(v.Preempted)
	r.int4(v.World)
	if v.QueueWait < 0 {
		r.null()
	} else {
		r.int8(v.QueueWait)
	}
	r.measure(v.Budget)
	r.ref(v.OwnerID)
	r.measure(v.MaxCost)
	return r.object(v.Labels.Folded())
}

func encodeAttempt(r *row, a *ledger.Attempt) error {
	r.begin(17)
	r.int4(tenant)
	r.id(a.ID)
	r.text(a.RunID)
	r.int4(a.Number)
	r.text(a.Task)
	r.at(a.Span.From)
	r.at(a.Span.To)
	r.bool(a.Running)
	r.text(string(a.Outcome))
	r.text(a.Reason)
	r.name(string(a.Pricing))
	r.int4(a.Nodes)
	r.int4(a.GPUs)
	r.name(string(a.LossBasis))
	r.known(a.LossFrom)
	r.known(a.LastCheckpoint)
	r.known(a.GangComplete)
	return nil
}

// attemptSegment is a segment with the attempt that it belongs to.
type attemptSegment struct {
	attempt ledger.ID
	*ledger.Segment
}

func segmentsOf(w *posting.Derived) []attemptSegment {
	var list []attemptSegment
	for i := range w.Attempts {
		for j := range w.Attempts[i].Segments {
			list = append(list, attemptSegment{w.Attempts[i].ID, &w.Attempts[i].Segments[j]})
		}
	}
	return list
}

func encodeSegment(r *row, s *attemptSegment) error {
	r.begin(8)
	r.int4(tenant)
	r.id(s.attempt)
	r.id(s.Workload)
	r.at(s.From)
	r.at(s.To)
	r.int8(s.Weight)
	r.name(string(s.LossBasis))
	r.known(s.LossFrom)
	return nil
}

// SaveOwners adds owners that are not there yet.
func (s *Store) SaveOwners(ctx context.Context, owners []ledger.Owner) error {
	return s.inTx(ctx, "save owners", func(tx pgx.Tx) error {
		if _, err := exec(ctx, tx, "world.create_stage"); err != nil {
			return err
		}
		if _, err := copySlice(ctx, tx, statement("world.copy_owners"), owners, encodeOwner); err != nil {
			return fmt.Errorf("stage: %w", err)
		}
		_, err := exec(ctx, tx, "world.insert_owners", tenant)
		return err
	})
}
