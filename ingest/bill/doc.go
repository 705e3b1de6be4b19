// Package bill is what all billing sources have in common: which rows of
// which files are one delivery, what they add up to, and which of them are the
// same as before.
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
// A row is known by the canonical values of all columns that come from the
// bill (a loader's own columns do not count; numbers lose superfluous zeros,
// maps their order, nulls do not count): by the sum modulo 2^128 of XXH3 hashes
// of (column, value). The digest of a delivery is the sum modulo 2^256 of a
// second hash of its rows, so neither the order of rows nor the cut into files
// matters, but which values stand in one row does. A charge's id is made of the
// delivery's key, the row and how often the same row came before: two identical
// lines are two charges, and which of them comes first does not matter to
// anybody: they are equal.
//
// These hashes tell apart what is different; among 10^9 rows two that differ
// look equal with a probability below 10^-20. They are no signature: who writes
// a bill can make two rows of it look equal, which makes them two equal lines.
//
// # Order
//
// The time of a delivery is --delivered-at, else the manifest's submit time,
// the run folder's, what the rows themselves say (Google's export_time), the
// load id; and, which is only observed, the object's last modification in its
// store. A local modification time never counts. What was overwritten at its place
// is older (ingest.Order).
//
// # Refusals
//
// A delivery is loaded whole or not at all; what is wrong with one leaves the
// others of the same import be.
//
// Files of two deliveries that cannot be told apart, parts that a manifest
// names and nobody has, files that change between the passes, rows that belong
// nowhere: each with file, line, column and reason. What a file cannot say
// (its currency, the order of its dates) is told by Hints.
package bill
