// Package operate decides who may change the books over HTTP: versions of the policy,
// closing and reopening of periods, decisions on recommendations, imports, revoking tokens.
//
// Signed-in users need the right to a change. Without access control, an operator sends a token with
// every change; if no operators are configured, every change is refused. The package keeps
// only hashes of tokens and knows no database: the Ledger makes the changes and records who asked.
//
// A Shelf keeps the views that users save. They are their own, so saving one needs no right to the books.
package operate
