// Package posting runs allocation over the database: facts are resolved into
// nodes, runs and owners, bills are cut into parts, and every node-day that
// changed is computed anew.
//
// It owns the order of these steps and their restart: each is a transaction of
// its own and finds out what is left to do, so a process may die anywhere. It
// declares what it needs of a database (AllocationStore); the rules are in
// allocation, the SQL is in store.
package posting
