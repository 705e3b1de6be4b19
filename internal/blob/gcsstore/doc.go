// Package gcsstore reads and writes gs:// URIs: Google Cloud Storage.
//
// It owns listing with paging and ranged reads of the generation that the
// listing showed, as stored (no unpacking on the way). It guarantees that an
// object which was overwritten is blob.ErrChanged, and that errors name bucket,
// object and the missing permission. A written object appears whole or not at all.
package gcsstore
