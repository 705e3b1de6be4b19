// Package pgtest gives tests real PostgreSQL databases.
//
// The first test of a process starts one throw-away server (or uses the one in GPULEDGER_TEST_DATABASE_URL), migrates
// one template database, and every test gets its own clone of it in some 50 ms; Filled clones a database that a test
// filled. The server's life is bound to the test process. Its data are in memory if there is room; folders of dead
// processes are removed by the next. GPULEDGER_TEST_KEEP=1 keeps databases of failed tests and logs their DSN.
//
// Only tests import it. Without PostgreSQL tests are skipped with the reason, except with CI=true, where that is a
// failure.
package pgtest
