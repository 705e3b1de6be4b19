// Package minutes merges and packs hours of minute values (ledger.Minutes).
//
// It owns three things. The merge of rule 1.2 (docs/rules.md): of several samples of one minute the newest counts, at
// equal times the larger, so that merging is commutative, associative and idempotent. The compact binary form in which
// a set of named minute vectors is stored: deterministic bytes for equal content, some 1 to 3 bytes per minute value.
// And the exact growth of counters between their samples (Increase, rule 10.4).
//
// It refuses bytes that Encode cannot have written: unknown versions, names out of order, minutes beyond 59, offsets
// beyond a minute, trailing bytes. Decode never panics and never allocates more than its limits.
package minutes
