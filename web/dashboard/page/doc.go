// Package page has what all pages share: it reads the address into a Scope,
// queries the read model row by row, puts the rail and the filter bar around a
// page, prints amounts, shares, causes and states in the same words everywhere,
// and reports failures. Parts of a page are drawn while it is sent (Lane), each with
// its own time limit, error and address.
//
// It owns the parameters of addresses and refuses invalid ones with the reason.
// A page of one dataset's rows also accepts a filter in the language of reports;
// other pages refuse it. The package knows no page: the router gives it the rail.
// It computes no money beyond sums of exact amounts.
package page
