// Package api answers the datasets over HTTP: GET and HEAD /api/v1/{dataset},
// /api/v1/explain/…, and /openapi.json, which is generated from the same
// definitions that compile the reports.
//
// It owns negotiation of formats, paging, entity tags and errors (RFC 9457,
// naming the parameter). It declares the Reader it needs, builds no SQL and
// computes no figure. Answers stream; one that breaks off after its head was
// sent ends the connection, so that no client takes half for whole.
//
// It refuses query parameters that it does not know: a misspelt filter must
// not silently answer something else.
package api
