// Package blob opens the inputs that a user names: a local file or a directory, an entry of a zip archive, or the
// objects of a store that a sub-package reaches (S3, Google Cloud Storage, Azure, http, BigQuery); packed with gzip or
// zstd or not at all.
//
// It owns discovery (files in sorted order), decompression by content rather than by file name, ranged and resumed
// reading of remote objects, and the digest and byte counts of inputs.
//
// It guarantees bounded memory: everything streams, random access to remote objects keeps a bounded cache of blocks,
// and an input that unpacks to more than its limits is refused instead of filling the machine. A truncated or damaged
// archive is an error that names the cause; it never looks like the end of the file. A file that is replaced between
// its listing and the end of its last read is ErrChanged, never a mix of two versions. Nothing outside the named
// directory is opened, whatever symbolic links or archive entries point to.
//
// Files of a listing live as long as the context of the listing: when it ends,
// reads of remote files end too.
//
// A Folder is a place that is written to: a local directory, S3, Google Cloud Storage or Azure. A file in it appears
// whole or not at all, also after a crash.
//
// It refuses URI schemes without a store.
package blob
