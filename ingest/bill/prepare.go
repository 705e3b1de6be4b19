package bill

import (
	"context"

	"gpuledger/ingest/table"
	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
)

// Preparer is implemented by formats in which some files are not separate bills but belong to
// others, such as the child tables that a loader makes from repeated fields.
type Preparer interface {
	// Prepare takes such files off the list, reads the necessary parts, and returns a format that
	// reads the others with them. Taken and unused files are counted in the tally. A refusal is a
	// *ledger.FileError.
	Prepare(ctx context.Context, files []blob.File, tally *ledger.Tally) (rest []blob.File, with Format, err error)
}

// Opener is implemented by formats whose files have columns that the file itself does not show
// as columns: joined from elsewhere, or inside the text of another column.
type Opener interface {
	Open(f blob.File) (table.Table, error)
}

// Prepare makes a format ready for a list of files.
func Prepare(
	ctx context.Context, format Format, files []blob.File, tally *ledger.Tally,
) (rest []blob.File, with Format, err error) {
	if p, ok := format.(Preparer); ok {
		return p.Prepare(ctx, files, tally)
	}
	return files, format, nil
}
