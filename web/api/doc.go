// Package api answers the datasets over HTTP: GET and HEAD /api/v1/{dataset},
// /api/v1/explain/…, and /openapi.json, which is generated from the same
// definitions that compile the reports.
//
// It does format negotiation, paging, entity tags and errors (RFC 9457,
// naming the parameter). It builds no SQL and
// computes no figure. Answers stream; if one fails after its head was
// sent, the connection is aborted, so that no client takes a partial answer for the whole one.
//
// Unknown query parameters are errors: a misspelt filter must
// not silently return other rows.
package api
