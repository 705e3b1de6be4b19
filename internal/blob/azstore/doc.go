// Package azstore reads and writes az://account/container/prefix and the https URIs of
// Azure Blob Storage.
//
// It owns credentials (SAS in the URI, AZURE_STORAGE_CONNECTION_STRING,
// AZURE_STORAGE_SAS_TOKEN, AZURE_STORAGE_KEY, else the default chain of
// identities), listing with paging, and ranged reads that are pinned to the
// ETag of the listing. It guarantees that a blob which was overwritten is
// blob.ErrChanged, and that errors name the blob and the missing role and
// never show a signature. A written blob appears whole or not at all.
package azstore
