// Package people serves the pages of access control: signing in and out, choosing a
// password, users, tokens, and one's own account. They work without scripts.
//
// It keeps no secret longer than a request, and shows one only in the response, never in an
// address. It does not say why a sign-in failed. It does not use the database: a Door and a
// Keeper do the work.
package people
