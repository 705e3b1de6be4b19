// Package saved serves the page of saved views, opens a view by its link, and opens a user's start page
// in place of the overview. Forms work without scripts.
//
// A view is an address. Opening a shared one redirects to that address, so readers see the page within
// their own scope.
package saved
