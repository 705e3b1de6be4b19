package bills

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/ingest"
	"gpuledger/internal/store/pg"
)

// SourceState returns the stored state of a configured source; only its name if it was never looked at.
func (s *Bills) SourceState(ctx context.Context, name string) (ingest.SourceState, error) {
	states, err := s.sourceStates(ctx, &name)
	if err != nil || len(states) == 0 {
		return ingest.SourceState{Name: name}, err
	}
	return states[0], nil
}

// SourceStates returns the stored states of all configured sources, by name.
func (s *Bills) SourceStates(ctx context.Context) ([]ingest.SourceState, error) {
	return s.sourceStates(ctx, nil)
}

func (s *Bills) sourceStates(ctx context.Context, name *string) ([]ingest.SourceState, error) {
	return pg.List[ingest.SourceState](ctx, s.Pool, "source.states", pg.Tenant, name)
}

// SaveSourceState stores the state of a source. A zero tick and a nil listing keep the stored values.
func (s *Bills) SaveSourceState(ctx context.Context, st ingest.SourceState) error {
	var tick, imported *time.Time
	if !st.Tick.IsZero() {
		tick = &st.Tick
	}
	if !st.ImportedAt.IsZero() {
		imported = &st.ImportedAt
	}
	if st.Versions == nil {
		st.Versions = map[string]string{}
	}
	versions, err := json.Marshal(st.Versions)
	if err != nil {
		return fmt.Errorf("record state of source %s: %w", st.Name, err)
	}
	return s.InTx(ctx, "record state of source "+st.Name, func(tx pgx.Tx) error {
		_, err := pg.Exec(ctx, tx, "source.save", pg.Tenant, st.Name, tick, st.State, pg.CleanText(st.Message), st.Listing,
			string(versions), st.LookedAt, imported)
		return err
	})
}

// LockSource takes the lock of a configured source, on a separate connection. ok is false if another process, or
// another job of this one, is importing it. The lock also ends with the process.
func (s *Bills) LockSource(ctx context.Context, name string) (unlock func(), ok bool, err error) {
	conn, err := s.Pool.Acquire(ctx)
	if err != nil {
		return nil, false, fmt.Errorf("lock source %s: %w", name, err)
	}
	if ok, err = pg.Value[bool](ctx, conn, "source.try_lock", pg.Tenant, name); err != nil || !ok {
		conn.Release()
		if err != nil {
			err = fmt.Errorf("lock source %s: %w", name, err)
		}
		return nil, false, err
	}
	return func() {
		// If unlocking fails, closing the connection unlocks.
		ctx := context.WithoutCancel(ctx)
		if released, err := pg.Value[bool](ctx, conn, "source.unlock", pg.Tenant, name); err != nil || !released {
			_ = conn.Conn().Close(ctx)
		}
		conn.Release()
	}, true, nil
}
