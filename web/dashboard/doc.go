// Package dashboard answers the browser: it puts the rooms, each a package below
// it, behind one router and one rail.
//
//	page      what every page shares: address, questions, chrome, words
//	figures   pages that are one value each, drawn from a dataset
//	costs     where the money went: overview, waste, advice, spot, commitments
//	work      what it was used for: runs, training, models, inference, queue
//	machines  the fleet: now, devices, slices, requests
//	books     what it rests on: reconciliation, bills, imports, periods, policy
//	explain   where a figure comes from and what it means
//
// A room reads the address, asks the read model, chooses the words and hands a
// view model to package views. It builds no SQL and computes no money beyond
// sums and differences of exact amounts. Rooms know page and figures; of the
// rooms only costs reads what others list, for the overview. Nothing here
// changes the books but through the desk; POST /theme changes only a cookie.
package dashboard
