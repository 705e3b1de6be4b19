package bill

import (
	"context"

	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
)

// Inspector is implemented by formats whose header alone does not tell how the
// rows of a file are to be read: which dataset they are of, or whether
// 9/2/2023 lies in September.
type Inspector interface {
	// Inspect looks at a file before its first pass. m is the manifest that
	// names the file, nil when none does; h is what the file cannot say. What it
	// finds goes to BindAs in both passes.
	Inspect(ctx context.Context, file blob.File, m *Manifest, h Hints) (found any, err error)
	// BindAs is Bind for a file that was inspected.
	BindAs(file blob.File, names []string, found any) (Binding, *ledger.Rejection)
}

// Owners finds the manifest that names each of the files, nil where none does.
// Where several do, NewPlan decides.
func Owners(files []blob.File, manifests []*Manifest) []*Manifest {
	out := make([]*Manifest, len(files))
	stored := newShelf(files)
	for _, m := range manifests {
		for _, data := range m.DataFiles {
			if i, ambiguous := stored.match(data.Name); i >= 0 && !ambiguous && out[i] == nil {
				out[i] = m
			}
		}
	}
	return out
}
