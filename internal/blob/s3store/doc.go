// Package s3store reads and writes s3:// URIs: Amazon S3 and other services with its protocol.
//
// It owns credentials (the default chain, an assumed role with external id),
// listing with paging, and ranged reads that are pinned to the ETag of the
// listing. It guarantees that an object which was overwritten is
// blob.ErrChanged, that bodies are closed, and that errors name bucket, key
// and the missing permission. It refuses archived objects. A written object appears whole or not at all.
package s3store
