package bills

import (
	"context"

	"github.com/jackc/pgx/v5"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
)

// SaveProgress records the progress of a running import. It never waits for the import's own transaction, which touches
// other rows. It leaves ended and unknown imports alone.
func (s *Bills) SaveProgress(ctx context.Context, importID ledger.ID, p ingest.Progress) error {
	return s.InTx(ctx, "record progress of import", func(tx pgx.Tx) error {
		_, err := pg.Exec(ctx, tx, "import.progress", pg.Tenant, importID, p.Phase, pg.Now(), p.FilesDone, p.Files,
			p.BytesDone, p.Bytes, p.Rows)
		return err
	})
}
