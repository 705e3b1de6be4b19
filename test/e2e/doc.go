// Package e2e holds the tests that take gpuledger from end to end: the program, built by the first that needs it and
// started as its own process for each command, over a real PostgreSQL.
//
// Tests of the command line without a database are in cmd/gpuledger. A new test calls smallLedger for the small fleet,
// imported and allocated once and cloned for each, or freshDatabase for an empty database with the schema. The
// program's sources count as opened by the tests, so that go test runs them again when one of them changed.
package e2e
