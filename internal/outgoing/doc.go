// Package outgoing writes datasets as files to places outside the ledger: a local folder, S3, Google Cloud Storage or
// Azure, once or on a schedule.
//
// It owns the manifest, the names of files and their folders, the types of columns over all files of an export, the files
// that a repeated export leaves as they are, and when a schedule is due. The bytes of a file are internal/export's, its
// place is a blob.Folder's, and schedules are stored by internal/store/exports.
//
// It guarantees that a manifest names only files that are complete: it is written last, and files are named by their
// content, so no file is ever overwritten. An interrupted export continues with the files that it lacks. The same rows
// give the same files; only files with other content are written. Files that no manifest names any more are deleted, and
// no others.
//
// It reads no clock: callers pass the time.
package outgoing
