// Package ask writes one question down in three languages: an address of the REST API, a gpuledger report command,
// and SQL over the views of schema bi_v1. All three return the same digits; SQL returns only the keys and the figures that
// the asker reads and that SQL can add up.
//
// REST and command take every question. SQL takes those whose rows the views can add up: costs by its keys, datasets
// of steps, and datasets whose rows a window selects without changing their figures. Others are refused with the
// reason (a *NoSQLError), never answered by a similar question. Budgets and variance, whose rules are Go, have statements
// of their spend and costs.
//
// The package is pure: it reads definitions of package metrics and returns text. Names come from definitions; values
// of filters are quoted.
package ask
