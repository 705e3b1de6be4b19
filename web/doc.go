// Package web is the HTTP server's router: it mounts pages, the API, static
// files, health checks and gpuledger's own metrics under one set of security
// headers.
//
// It owns what is true of every response: the strict content security policy,
// the refusal of cross-origin changes, request limits, panics turned into 500
// with a ref. It holds no state and asks no database but for readiness.
package web
