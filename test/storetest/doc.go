// Package storetest is for tests of the store: databases, small ledgers and bills that several rooms use, and the check
// that each statement of a room was run on PostgreSQL.
//
// It guarantees that every store it opens has the current schema and is closed with the test. Only tests import it.
package storetest
