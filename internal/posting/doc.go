// Package posting runs allocation over the database: it resolves facts into nodes, runs and owners, cuts bills into
// parts, and computes every changed node-day again.
//
// It owns the order of these steps and their restart: each is a separate transaction that finds its pending work, so
// a process may die anywhere. It declares its needs of a database (AllocationStore); the rules are in allocation, the
// SQL is in store.
package posting
