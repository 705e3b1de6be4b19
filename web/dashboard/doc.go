// Package dashboard serves the pages. It puts the rooms, each a package below it,
// behind one router and one rail.
//
//	page      what every page shares: address, questions, chrome, words
//	figures   pages drawn from a dataset, each declared as one value
//	panel     charts, each declared as one value
//	costs     where the money went: overview, waste, advice, spot, commitments
//	review    the explorer
//	work      what GPUs were used for: runs, training, models, inference, queue
//	machines  the fleet: now, devices, slices, requests
//	books     the sources: reconciliation, bills, imports, periods, policy
//	people    sign-in, users, tokens, one's own account, the audit log
//	find      names of all kinds with their cost
//	saved     saved views, and the page that a user starts with
//	explain   where a figure comes from and what it means
//
// A room reads the address, queries the read model, chooses the words and hands a
// view model to package views. It builds no SQL and computes no money beyond sums
// and differences of exact amounts. Rooms import page and figures; only costs also
// imports other rooms, for the overview. The books change only through the desk;
// POST /theme changes only a cookie.
package dashboard
