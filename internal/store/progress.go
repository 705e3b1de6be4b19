package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
)

// SaveProgress records how far a running import is. It waits for nobody: the
// import's own transaction touches other rows. An import that has ended, or
// was never started, is left alone.
func (s *Store) SaveProgress(ctx context.Context, importID ledger.ID, p ingest.Progress) error {
	return s.inTx(ctx, "record progress of import", func(tx pgx.Tx) error {
		_, err := exec(ctx, tx, "import.progress", tenant, importID, p.Phase, now(), p.FilesDone, p.Files, p.BytesDone, p.Bytes, p.Rows)
		return err
	})
}
