// Package dashboard answers the browser: it reads the address, asks the read
// model, chooses the words and hands a view model to package views.
//
// It owns the addresses of pages and their parameters, the sentences, and
// which facts deserve attention. It refuses parameters that it cannot honour
// with a page that says which and why. It builds no SQL and computes no money
// beyond sums and differences of exact amounts; a panel that fails leaves the
// others standing. Nothing but POST /theme changes anything, and that only a
// cookie.
package dashboard
