// Package people owns the pages of who may see what: signing in and out, choosing a
// password. They work without scripts.
//
// It keeps no secret longer than a request, says of a failed sign-in no more than that
// it failed, and knows no database: a Door does what the pages ask.
package people
