package outgoing

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"

	"gpuledger/internal/blob"
	"gpuledger/internal/export"
	"gpuledger/internal/period"
)

// ManifestName is the file that names all others of an export.
const ManifestName = "manifest.json"

// largestManifest is the most bytes that are read of one.
const largestManifest = 64 << 20

// manifestVersion is the form of manifests that this program writes.
const manifestVersion = 1

// Manifest names the files of an export.
type Manifest struct {
	Dataset       string        `json:"dataset"`
	BillingPeriod period.Month  `json:"billing_period"`
	Format        export.Format `json:"format"`
	Files         []File        `json:"files"`
	Columns       []export.Type `json:"columns"`

	Rows     int64  `json:"rows"`
	ChosenBy By     `json:"chosen_by"` // how the month chooses rows
	Options  string `json:"options"`   // of the report, as in an address
	ForExcel bool   `json:"for_excel"`
	// Partitions are the keys in the folders of files; empty if files are in no folders.
	Partitions []string `json:"partitions"`
	// Snapshot counts up when the type of a column changes. Files of one snapshot have the same types.
	Snapshot int `json:"snapshot"`
	// Source stands for the state of the ledger and the question: while it is the same, the files are.
	Source  string `json:"source"`
	Version int    `json:"manifest_version"`
}

// File is one file of an export.
type File struct {
	Path   string `json:"path"` // below the manifest, with forward slashes
	Rows   int64  `json:"rows"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

// question is what the manifest's files answer.
func (m *Manifest) question() (Question, error) {
	o, err := ParseOptions(m.Options)
	return Question{Dataset: m.Dataset, Month: m.BillingPeriod, Options: o, Format: m.Format, ForExcel: m.ForExcel}, err
}

// text is the manifest as a file.
func (m *Manifest) text() ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(m)
	return out.Bytes(), err
}

// readManifest reads the manifest of a folder; nil if there is none.
func readManifest(ctx context.Context, from blob.Folder) (*Manifest, []byte, error) {
	text, err := from.Read(ctx, ManifestName, largestManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	m := new(Manifest)
	if err := json.Unmarshal(text, m); err != nil || m.Version < 1 || m.Dataset == "" {
		return nil, nil, fmt.Errorf("%s/%s is not a manifest of gpuledger: name another folder, or move it away",
			from.Place(), ManifestName)
	}
	if m.Version > manifestVersion {
		return nil, nil, fmt.Errorf("%s/%s was written by a newer gpuledger: update this one", from.Place(), ManifestName)
	}
	return m, text, nil
}

// complete reports whether all files of the manifest are there.
func (m *Manifest) complete(there map[string]int64) bool {
	return !slices.ContainsFunc(m.Files, func(f File) bool {
		size, ok := there[f.Path]
		return !ok || size != f.Bytes
	})
}

// covers reports whether the types of the manifest's columns are at least as wide as the given ones of the same names.
func (m *Manifest) covers(floor []export.Type) bool {
	return !slices.ContainsFunc(floor, func(f export.Type) bool {
		return slices.ContainsFunc(m.Columns, func(c export.Type) bool { return c.Name == f.Name && !covers(c, f) })
	})
}

func covers(c, f export.Type) bool {
	if c.Precision == nil || f.Precision == nil || c.Scale == nil || f.Scale == nil {
		return c.Precision == nil || c.Type == f.Type
	}
	return *c.Scale >= *f.Scale && *c.Precision-*c.Scale >= *f.Precision-*f.Scale
}

// sameTypes reports whether two lists of columns have the same names and types.
func sameTypes(a, b []export.Type) bool {
	return slices.EqualFunc(a, b, func(x, y export.Type) bool {
		return x.Name == y.Name && x.Type == y.Type && same(x.Precision, y.Precision) && same(x.Scale, y.Scale)
	})
}

func same(a, b *int) bool { return a == b || a != nil && b != nil && *a == *b }

// named recognises the files that an export writes, so that no others are ever deleted.
var named = regexp.MustCompile(
	`^(service_date=[0-9A-Za-z_-]+/)?[a-z][a-z0-9_]*-[0-9]{4}-[0-9]{2}-[0-9a-f]{16}\.(csv|parquet|xlsx)$`)
