package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"strings"
	"time"

	"gpuledger/internal/blob"
)

// SourceState is what is kept of a configured source between imports.
type SourceState struct {
	Name string
	// Tick is the last scheduled time that was dealt with, whatever came of
	// it; zero: none. Saving a zero tick keeps the stored one.
	Tick time.Time
	// State is an ImportState, SourceSkipped or SourceFailed.
	State   string
	Message string // why it was refused or failed, else empty
	// Listing is the digest of what was listed at the last import that
	// succeeded, and Versions that of each path that is imported on its own.
	// Saving a nil Listing keeps both stored ones.
	Listing    []byte
	Versions   map[string]string
	LookedAt   time.Time
	ImportedAt time.Time // the last success; zero: none
}

// States of a source beside those of its imports.
const (
	SourceSkipped = "skipped" // its listing was that of the last import
	SourceFailed  = "failed"  // it could not be read, the last try of several
)

// Listing is what the URIs of a request name now.
type Listing struct {
	Files  []blob.File
	Digest []byte
	// Versions are those of files that are deliveries of their own, by path:
	// days of a BigQuery table.
	Versions map[string]string

	byURI [][]blob.File
}

// piecewise are the URIs whose files are deliveries of their own.
const piecewise = "bq://"

// List lists a request without reading anything. Equal digests mean the same
// files with the same content, to be read in the same way.
func List(ctx context.Context, req Request) (*Listing, error) {
	l := &Listing{Versions: map[string]string{}}
	h := sha256.New()
	text(h, req.Source, req.Cluster, fmt.Sprint(req.KeepEverything), strings.Join(req.Prefer, "\n"))
	if req.DeliveredAt != nil {
		text(h, req.DeliveredAt.String())
	}
	for _, uri := range req.URIs {
		files, err := req.Stores.List(ctx, uri)
		if err != nil {
			return nil, err
		}
		text(h, blob.Redact(uri))
		for _, f := range files {
			text(h, f.Name, f.Path, fmt.Sprint(f.Size, f.Modified), f.Version)
			if strings.HasPrefix(f.Path, piecewise) {
				l.Versions[f.Path] = f.Version
			}
		}
		l.Files = append(l.Files, files...)
		l.byURI = append(l.byURI, files)
	}
	l.Digest = h.Sum(nil)
	return l, nil
}

// text digests strings so that no two lists of strings look the same.
func text(h hash.Hash, parts ...string) {
	var length [8]byte
	for _, p := range parts {
		binary.BigEndian.PutUint64(length[:], uint64(len(p)))
		h.Write(length[:])
		h.Write([]byte(p))
	}
}

// Changed tells which files of a listing must be read again, given the
// versions that were imported: all that are not deliveries of their own, and
// those of the others that are new or changed.
func (l *Listing) Changed(imported map[string]string) func(blob.File) bool {
	return func(f blob.File) bool {
		version, known := imported[f.Path]
		return !known || !strings.HasPrefix(f.Path, piecewise) || version != f.Version
	}
}

// Final reports whether err of an import says only that input was refused for
// what it holds, so that trying again changes nothing; whole, that all input
// of some source was.
func Final(err error) (final, whole bool) {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		final = true
		for _, e := range several.Unwrap() {
			f, w := Final(e)
			final, whole = final && f, whole || w
		}
		return final, whole
	}
	if refused := (*RefusedError)(nil); errors.As(err, &refused) {
		return refused.Cause == nil, refused.Whole
	}
	return false, false
}
