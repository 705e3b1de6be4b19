// Package httpstore reads one file behind an http:// or https:// URI.
//
// It owns ranged reads that are pinned to the ETag or date of the first answer, retries, and the check of the address
// that a name resolves to. It refuses link-local addresses (where clouds serve credentials) and redirects to another
// host, and never shows the query of a URI, which may be a signature.
package httpstore
