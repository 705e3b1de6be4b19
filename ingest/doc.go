// Package ingest takes files into the ledger: discover, fetch, detect, parse,
// stage, check, publish.
//
// It owns the list of formats, detection by content, the Importer, and the
// Store interface that internal/store implements. The formats themselves are
// parsed by the packages below it, which know no database, clock or network.
//
// It guarantees that an import is published whole or not at all, that every
// input row becomes a fact, an ignored row counted by reason or a rejection
// with file, line, column and reason, and that importing the same bytes again
// changes nothing. Memory is bounded by the number of nodes and devices of an
// hour and by 16 bytes per bill line, not by the size of the input.
//
// It refuses a source it does not know (the error says "unknown source"),
// files of another format than the source named, and telemetry of two
// unlabelled clusters that would run into each other.
package ingest
