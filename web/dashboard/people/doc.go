// Package people owns the pages of who may see what: signing in and out, choosing a
// password, users, tokens, and one's own account. They work without scripts.
//
// It keeps no secret longer than a request and shows it on the answer alone, never in an
// address. It says of a failed sign-in no more than that it failed, and knows no
// database: a Door and a Keeper do what the pages ask.
package people
