// Package ingest takes files into the ledger: discover, fetch, detect, parse,
// stage, check, publish.
//
// It owns the list of formats, detection by content, the Importer, and the Store interface that
// internal/store implements. The packages below it parse the formats; they use no database,
// clock or network.
//
// An import is published whole or not at all. Every input row becomes a fact, an ignored row
// counted by reason, or a rejection with file, line, column and reason. Importing the same
// bytes again changes nothing. Memory is bounded by the number of nodes and devices of an hour
// and by 16 bytes per bill line, not by the size of the input.
//
// It refuses unknown sources (the error contains "unknown source"), files of another format
// than the given source, and telemetry of two unlabelled clusters that would mix.
package ingest
