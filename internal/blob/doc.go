// Package blob opens what a user names: a local file or a directory, packed
// with gzip or zstd or not at all.
//
// It owns discovery (files in sorted order), decompression by content rather
// than by file name, and the digest and byte counts of what was read. It
// guarantees bounded memory: everything streams, and an input that unpacks to
// more than its limits is refused instead of filling the machine. A truncated
// or damaged archive is an error that says so; it never looks like the end of
// the file.
//
// It refuses URI schemes other than plain paths and file://.
package blob
