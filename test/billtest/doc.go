// Package billtest runs both passes of package bill over files like the importer, for the tests of the formats. It
// checks the invariants of every delivery: unique charge ids, row counts, and the two passes agreeing on every total.
package billtest
