// Package httpstore reads one file behind an http:// or https:// URI.
//
// It owns ranged reads that are pinned to the ETag or date of the first
// answer, retries, and the check of what address a name leads to. It refuses
// link-local addresses (where clouds answer with credentials), redirects to
// another host, and never shows the query of a URI, which may be a signature.
package httpstore
