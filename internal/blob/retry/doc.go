// Package retry is how the stores that speak plain HTTP try again: a few times,
// after growing pauses with jitter, or when the server says, within reason.
// Stores with a client library leave it to that.
package retry
