// Package operate owns who may change the books over HTTP, and what can be
// changed: versions of the policy, closing and reopening of periods.
//
// An operator shows a token with every change; rights are few and named. It
// guarantees that nothing is changed without one: where no operators are
// configured, every change is refused. It keeps hashes of tokens only and
// knows no database; the Ledger it is given does the work and records who.
package operate
