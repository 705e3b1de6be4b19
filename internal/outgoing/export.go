package outgoing

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"gpuledger/internal/access"
	"gpuledger/internal/blob"
	"gpuledger/internal/export"
	"gpuledger/metrics"
)

// Reader is the ledger as exports read it.
type Reader interface {
	metrics.Querier
	// Version changes whenever answers may change.
	Version(ctx context.Context) (metrics.Version, error)
}

// Bounds of files.
const (
	largeRows = 1_000_000 // an export of more rows is split by day
	fileRows  = 1_000_000 // most rows of one file
)

// Exporter writes exports. The viewer in the context decides which rows they have.
type Exporter struct {
	From  Reader
	Build string // version of the program, whose files may differ from another's

	large, most int // bounds in tests; 0: largeRows, fileRows
}

// Outcome is what an export did.
type Outcome struct {
	Manifest *Manifest
	Totals
	Changed bool // the manifest is new
}

// AnotherError means that the folder holds another export.
type AnotherError struct{ Place, Is, Asked string }

// Error implements error.
func (e *AnotherError) Error() string {
	return fmt.Sprintf("%s holds %s, not %s: name another folder for it", e.Place, e.Is, e.Asked)
}

// Export brings a folder up to date. Columns are at least as wide as those of floor. The manifest comes last, so that
// a reader who begins with it never sees a part.
func (e *Exporter) Export(ctx context.Context, q Question, to blob.Folder, floor []export.Type) (*Outcome, error) {
	query, day, err := q.ask()
	if err != nil {
		return nil, err
	}
	before, was, err := readManifest(ctx, to)
	if err != nil {
		return nil, err
	}
	if before != nil {
		if other, err := before.question(); err != nil || other != q {
			return nil, errors.Join(&AnotherError{to.Place(), other.identity(), q.identity()}, err)
		}
	}
	there, err := filesOf(ctx, to)
	if err != nil {
		return nil, err
	}
	source, err := e.source(ctx, q, query)
	if err != nil {
		return nil, err
	}
	if before != nil && source != "" && before.Source == source && before.complete(there) && before.covers(floor) {
		out := &Outcome{Manifest: before, Totals: before.totals()}
		out.Kept = int64(len(before.Files))
		return out, clean(ctx, to, before, there, &out.Totals)
	}
	out, err := e.write(ctx, q, query, day, to, there, before, floor)
	if err != nil {
		return nil, err
	}
	out.Manifest.Source = source
	text, err := out.Manifest.text()
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(text, was) {
		if err := to.Put(ctx, ManifestName, bytes.NewReader(text), int64(len(text))); err != nil {
			return nil, err
		}
		out.Changed = true
	}
	return out, clean(ctx, to, out.Manifest, there, &out.Totals)
}

// totals are the rows and bytes of the manifest's files.
func (m *Manifest) totals() (t Totals) {
	for _, f := range m.Files {
		t.Rows, t.Bytes = t.Rows+f.Rows, t.Bytes+f.Bytes
	}
	return t
}

// filesOf are the sizes of the files in a folder that an export may have written.
func filesOf(ctx context.Context, to blob.Folder) (map[string]int64, error) {
	entries, err := to.List(ctx)
	if err != nil {
		return nil, err
	}
	there := map[string]int64{}
	for _, f := range entries {
		if named.MatchString(f.Name) {
			there[f.Name] = f.Size
		}
	}
	return there, nil
}

// clean deletes the files that were there before and that the manifest, which is in place, does not name.
func clean(ctx context.Context, to blob.Folder, m *Manifest, there map[string]int64, t *Totals) error {
	for _, f := range m.Files {
		delete(there, f.Path)
	}
	for name := range there {
		if err := to.Remove(ctx, name); err != nil {
			return err
		}
		t.Removed++
	}
	return to.Clear(ctx)
}

// source stands for everything that the files depend on; empty if rows also change as time passes.
func (e *Exporter) source(ctx context.Context, q Question, query metrics.Query) (string, error) {
	if query.Dataset.Expiring {
		return "", nil
	}
	v, err := e.From.Version(ctx)
	if err != nil {
		return "", err
	}
	parts := []string{e.Build, q.identity(), v.Tag, v.Policy}
	if query.Dataset.Logged {
		parts = append(parts, strconv.FormatInt(v.Entries, 10))
	}
	if viewer := access.From(ctx); viewer.Bounded() {
		parts = append(parts, viewer.Scope, viewer.Members)
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16]), nil
}
