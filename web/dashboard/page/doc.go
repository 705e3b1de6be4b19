// Package page is what every page shares, whatever it is about: it reads the
// address into a Scope, asks the read model row by row, puts the rail and the
// filter bar around a page, prints amounts, shares, causes and states in the
// same words everywhere, and says what failed.
//
// It owns the parameters of addresses and refuses those that it cannot honour,
// with the reason. A page of one dataset's rows takes a filter in the language
// of reports beside its own; other pages refuse one. It knows no page: the router gives it the rail. It computes
// no money beyond sums of exact amounts.
package page
