// Package billtest runs both passes of package bill over files as the importer
// does, for the tests of the formats. It checks what must hold of every
// delivery: unique charge ids, row counts, and the two passes agreeing on
// every total.
package billtest
