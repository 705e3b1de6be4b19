package book

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/posting"
	"gpuledger/internal/store/pg"
)

// DerivedTables are the tables that SaveWorld replaces as a whole, each with the column that matches old and new rows.
var DerivedTables = []struct{ Table, Key string }{
	{"nodes", "node_id"}, {"workloads", "workload_id"}, {"runs", "run_id"},
	{"attempts", "attempt_id"}, {"segments", "attempt_id"}, {"limit_labels", "budget_id"},
}

// SaveWorld replaces nodes, workloads, runs, attempts, segments and texts of limits with w, adds its owners, and marks every (node, day)
// that the difference can affect. Unchanged rows are not written, and if w equals the last saved state, nothing is
// compared.
//
// If only the end of a hold, segment, running attempt or node life changed, only the days around the old and the new
// end are marked; otherwise the whole old and new extents.
func (s *Book) SaveWorld(ctx context.Context, w *posting.Derived) error {
	digest, err := digestOf(w)
	if err != nil {
		return err
	}
	return s.InTx(ctx, "save runs, attempts and nodes", func(tx pgx.Tx) error {
		same, err := pg.Value[bool](ctx, tx, "world.unchanged", pg.Tenant, digest, len(w.Nodes), len(w.Workloads),
			len(w.Runs), len(w.Attempts),
			len(segmentsOf(w)), len(w.Owners), len(w.Limits))
		if err != nil || same {
			return err
		}
		if _, err := pg.Exec(ctx, tx, "world.create_stage"); err != nil {
			return err
		}
		if err := stageDerived(ctx, tx, w); err != nil {
			return err
		}
		if _, err := pg.Exec(ctx, tx, "world.insert_owners", pg.Tenant); err != nil {
			return err
		}
		if _, err := pg.Exec(ctx, tx, "dirty.create_touched"); err != nil {
			return err
		}
		for _, name := range []string{
			"dirty.touch_nodes", "dirty.touch_workloads", "dirty.touch_attempts", "dirty.touch_segments", "dirty.touch_managed",
		} {
			if _, err := pg.Exec(ctx, tx, name, pg.Tenant); err != nil {
				return err
			}
		}
		for _, t := range DerivedTables {
			fill := strings.NewReplacer(":table", t.Table, ":key", t.Key)
			for _, name := range []string{"world.delete_stale", "world.insert_new"} {
				if _, err := tx.Exec(ctx, fill.Replace(pg.Statement(name)), pg.Tenant); err != nil {
					return fmt.Errorf("%s of %s: %w", name, t.Table, err)
				}
			}
		}
		if _, err := pg.Exec(ctx, tx, "world.remember", pg.Tenant, digest); err != nil {
			return err
		}
		return pg.MarkTouched(ctx, tx)
	})
}

// digestOf identifies a world by the rows that would be stored.
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
		func() error { return hashRows(h, w.Limits, encodeLimit) },
	} {
		if err := table(); err != nil {
			return nil, fmt.Errorf("digest of runs, attempts and nodes: %w", err)
		}
	}
	return h.Sum(nil), nil
}

// hashRows hashes rows as COPY would send them.
func hashRows[T any](h hash.Hash, rows []T, encode func(*pg.Row, *T) error) error {
	var r pg.Row
	for i := range rows {
		r.Buf = r.Buf[:0]
		if err := encode(&r, &rows[i]); err != nil {
			return err
		}
		h.Write(r.Buf)
	}
	h.Write([]byte{0xff, 0xff}) // no tuple begins like that
	return nil
}

func stageDerived(ctx context.Context, tx pgx.Tx, w *posting.Derived) error {
	segments := segmentsOf(w)
	for _, stage := range []func() (int64, error){
		func() (int64, error) {
			return pg.CopySlice(ctx, tx, pg.Statement("world.copy_nodes"), w.Nodes, encodeNode)
		},
		func() (int64, error) {
			return pg.CopySlice(ctx, tx, pg.Statement("world.copy_owners"), w.Owners, encodeOwner)
		},
		func() (int64, error) {
			return pg.CopySlice(ctx, tx, pg.Statement("world.copy_workloads"), w.Workloads, encodeWorkload)
		},
		func() (int64, error) {
			return pg.CopySlice(ctx, tx, pg.Statement("world.copy_runs"), w.Runs, encodeRun)
		},
		func() (int64, error) {
			return pg.CopySlice(ctx, tx, pg.Statement("world.copy_attempts"), w.Attempts, encodeAttempt)
		},
		func() (int64, error) {
			return pg.CopySlice(ctx, tx, pg.Statement("world.copy_segments"), segments, encodeSegment)
		},
		func() (int64, error) {
			return pg.CopySlice(ctx, tx, pg.Statement("world.copy_limits"), w.Limits, encodeLimit)
		},
	} {
		if _, err := stage(); err != nil {
			return fmt.Errorf("stage: %w", err)
		}
	}
	return nil
}

func encodeNode(r *pg.Row, n *ledger.Node) error {
	r.Begin(22)
	r.Int4(pg.Tenant)
	r.ID(n.ID)
	r.Text(n.Cluster)
	r.Text(n.Name)
	r.Text(n.ProviderID)
	r.Text(n.InstanceID)
	if err := r.Object(n.Labels); err != nil {
		return err
	}
	if err := r.Object(n.Tags); err != nil {
		return err
	}
	if n.Life.Empty() {
		r.Null()
		r.Null()
	} else {
		r.At(n.Life.From)
		r.At(n.Life.To)
	}
	r.Name(n.InstanceType)
	r.Name(n.Region)
	r.Name(n.Zone)
	r.Name(string(n.PriceClass))
	r.Name(n.GPUModel)
	r.Int4(n.GPUs)
	r.Int4(max(n.Replicas, 1))
	r.Name(n.Account)
	r.Bool(n.InSource)
	r.Int4(int(n.Seen))
	r.Ref(n.OwnerID)
	r.Ranges(n.DarkDays())
	return nil
}

func encodeOwner(r *pg.Row, o *ledger.Owner) error {
	r.Begin(16)
	r.Int4(pg.Tenant)
	r.ID(o.ID)
	for _, dimension := range [...]string{o.BusinessUnit, o.Team, o.Project, o.Model, o.ModelVersion, o.Stage,
		o.Environment,
		o.CostCenter, o.Experiment, o.Dataset, o.User, o.Priority, o.Queue} {
		r.Name(dimension)
	}
	return r.Object(o.Labels)
}

func encodeWorkload(r *pg.Row, w *ledger.Workload) error {
	r.Begin(18)
	r.Int4(pg.Tenant)
	r.ID(w.ID)
	for _, text := range [...]string{
		w.Cluster, w.Namespace, w.Name, w.UID, w.Kind, w.Service, w.OwnerName, string(w.Class),
	} {
		r.Text(text)
	}
	r.Ref(w.NodeID)
	if w.Hold.Empty() {
		r.Null()
		r.Null()
	} else {
		r.At(w.Hold.From)
		r.At(w.Hold.To)
	}
	r.Text(string(w.Outcome))
	r.Text(w.Reason)
	r.Name(w.RunID)
	r.Ref(w.OwnerID)
	return r.Object(w.Labels.Folded())
}

func encodeRun(r *pg.Row, v *ledger.Run) error {
	r.Begin(19)
	r.Int4(pg.Tenant)
	r.Text(v.ID)
	r.Name(v.GroupID)
	for _, text := range [...]string{v.Cluster, v.Namespace, v.Name, v.RootKind, v.Kind, v.Status} {
		r.Text(text)
	}
	r.Known(v.CreatedAt)
	r.Known(v.StartedAt)
	r.Known(v.EndedAt)
	r.Int4(v.Attempts)
	r.Int4(v.Preempted)
	r.Int4(v.World)
	if v.QueueWait < 0 {
		r.Null()
	} else {
		r.Int8(v.QueueWait)
	}
	r.Measure(v.Budget)
	r.Ref(v.OwnerID)
	return r.Object(v.Labels.Folded())
}

func encodeAttempt(r *pg.Row, a *ledger.Attempt) error {
	r.Begin(18)
	r.Int4(pg.Tenant)
	r.ID(a.ID)
	r.Text(a.RunID)
	r.Int4(a.Number)
	r.Text(a.Task)
	r.At(a.Span.From)
	r.At(a.Span.To)
	r.Bool(a.Running)
	r.Text(string(a.Outcome))
	r.Text(a.Reason)
	r.Name(string(a.Pricing))
	r.Int4(a.Nodes)
	r.Int4(a.GPUs)
	r.Name(string(a.LossBasis))
	r.Known(a.LossFrom)
	r.Known(a.LastCheckpoint)
	r.Known(a.GangComplete)
	r.Known(a.MayLoseFrom)
	return nil
}

// attemptSegment is a segment with its attempt.
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

func encodeSegment(r *pg.Row, s *attemptSegment) error {
	r.Begin(8)
	r.Int4(pg.Tenant)
	r.ID(s.attempt)
	r.ID(s.Workload)
	r.At(s.From)
	r.At(s.To)
	r.Int8(s.Weight)
	r.Name(string(s.LossBasis))
	r.Known(s.LossFrom)
	return nil
}

func encodeLimit(r *pg.Row, t *ledger.LimitText) error {
	r.Begin(16)
	r.Int4(pg.Tenant)
	r.ID(t.BudgetID)
	r.Int4(t.Version)
	r.Text(string(t.Label))
	r.Text(string(t.Standing))
	r.Text(t.BudgetName())
	r.Text(t.Key)
	r.Text(t.Value)
	r.Text(t.Text)
	r.Measure(t.Amount)
	others := make([]string, len(t.Others))
	for i := range t.Others {
		others[i] = t.Others[i].String()
	}
	r.Text(strings.Join(others, ", "))
	r.Text(t.Cluster)
	r.Text(t.Workload)
	r.Int4(t.Workloads)
	r.Known(t.From)
	r.Known(t.To)
	return nil
}

// SaveOwners adds owners that do not exist yet.
func (s *Book) SaveOwners(ctx context.Context, owners []ledger.Owner) error {
	return s.InTx(ctx, "save owners", func(tx pgx.Tx) error {
		if _, err := pg.Exec(ctx, tx, "world.create_stage"); err != nil {
			return err
		}
		if _, err := pg.CopySlice(ctx, tx, pg.Statement("world.copy_owners"), owners, encodeOwner); err != nil {
			return fmt.Errorf("stage: %w", err)
		}
		_, err := pg.Exec(ctx, tx, "world.insert_owners", pg.Tenant)
		return err
	})
}
