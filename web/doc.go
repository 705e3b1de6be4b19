// Package web is the HTTP server's router: it mounts pages, the API, static
// files, health checks and gpuledger's own metrics under one set of security
// headers.
//
// It applies to every response: the strict content security policy,
// the refusal of cross-origin changes, request limits, and panics turned into
// 500. It has no state, and uses the database only for the readiness check.
package web
