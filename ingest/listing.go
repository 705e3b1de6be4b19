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

// SourceState is the stored state of a configured source between imports.
type SourceState struct {
	Name string
	// Tick is the last scheduled time that was handled, with whatever result; zero: none. Saving a
	// zero tick keeps the stored one.
	Tick time.Time
	// State is an ImportState, SourceSkipped or SourceFailed.
	State   string
	Message string // why it was refused or failed, else empty
	// Listing is the digest of the listing at the last successful import, and Versions the
	// versions of the separately imported paths. Saving a nil Listing keeps both stored ones.
	Listing    []byte
	Versions   map[string]string
	LookedAt   time.Time
	ImportedAt time.Time // the last success; zero: none
}

// States of a source in addition to those of its imports.
const (
	SourceSkipped = "skipped" // its listing equals the last import's
	SourceFailed  = "failed"  // it could not be read, even on the last try
)

// Listing is the current files of a request's URIs.
type Listing struct {
	Files  []blob.File
	Digest []byte
	// Versions are those of files that are separate deliveries, by path: days of a BigQuery table.
	Versions map[string]string

	byURI [][]blob.File
}

// piecewise is the scheme of URIs whose files are separate deliveries.
const piecewise = "bq://"

// List lists a request without reading any file. Equal digests mean the same files with the
// same content, to be read in the same way.
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

// text hashes strings so that different lists of strings differ.
func text(h hash.Hash, parts ...string) {
	var length [8]byte
	for _, p := range parts {
		binary.BigEndian.PutUint64(length[:], uint64(len(p)))
		h.Write(length[:])
		h.Write([]byte(p))
	}
}

// Changed reports which files of a listing must be read again, given the imported versions: all
// files that are not separate deliveries, and new or changed ones of the others.
func (l *Listing) Changed(imported map[string]string) func(blob.File) bool {
	return func(f blob.File) bool {
		version, known := imported[f.Path]
		return !known || !strings.HasPrefix(f.Path, piecewise) || version != f.Version
	}
}

// Final reports whether an import's err only refuses input because of its content, so that a
// retry changes nothing; whole reports whether all input of some source was refused.
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
