package bill

import (
	"context"

	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
)

// Inspector is implemented by formats whose header alone does not determine how the rows of a
// file are read: which dataset they belong to, or whether 9/2/2023 is in September.
type Inspector interface {
	// Inspect examines a file before its first pass. m is the manifest that names the file, nil if
	// there is none; h has facts that the file lacks. Its finding goes to BindAs in both passes.
	Inspect(ctx context.Context, file blob.File, m *Manifest, h Hints) (found any, err error)
	// BindAs is Bind for an inspected file.
	BindAs(file blob.File, names []string, found any) (Binding, *ledger.Rejection)
}

// Owners finds the manifest of each file, nil if there is none. If there are several, NewPlan
// decides.
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
