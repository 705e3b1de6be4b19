// Package bill holds the logic common to all billing sources: which rows of which files form
// one delivery, their totals, and which deliveries repeat earlier ones.
//
// A source describes its Format: how a header binds to columns, which delivery
// a row belongs to, what the row's raw text adds to the control totals, and
// what charge the row is. The package makes two passes. SurveyFile counts rows
// per unit (scope, partition, dataset, load) and adds up the control totals
// from the raw text; NewPlan groups files into deliveries; Plan.Read maps the
// rows to charges; Plan.Finish gives each delivery its digest and totals. The
// two passes share no arithmetic, so that a fault of one shows as a
// difference.
//
// # Identity
//
// A row is identified by the canonical values of all columns that come from the bill: the sum
// modulo 2^128 of XXH3 hashes of (column, value). A loader's own columns do not count; numbers
// lose superfluous zeros, maps their order, and nulls do not count. A delivery's digest is the
// sum modulo 2^256 of a second hash of its rows. So neither the order of rows nor their split
// into files matters, but the combination of values in a row does. A charge's id is built from
// the delivery's key, the row, and the number of equal rows before it: two identical lines are
// two charges, and their order does not matter because they are equal.
//
// Different rows get different hashes: among 10^9 rows, two different ones collide with a
// probability below 10^-20. The hashes are not a signature: the writer of a bill can make two
// rows collide, which then count as two equal lines.
//
// # Order
//
// The time of a delivery is --delivered-at, else the manifest's submit time, the run folder's
// time, the rows' own time (Google's export_time), or the load id; else the object's last
// modification in its store, which is only observed. A local modification time never counts. A
// delivery whose files were overwritten is older (ingest.Order).
//
// # Refusals
//
// A delivery is loaded whole or not at all; a fault in one does not affect the other deliveries
// of the import.
//
// Refused, each with file, line, column and reason: files of two deliveries that cannot be
// distinguished, missing parts of a manifest, files that change between the passes, and rows
// that belong to no delivery. Hints supply facts that a file lacks (its currency, the order of
// its dates).
package bill
