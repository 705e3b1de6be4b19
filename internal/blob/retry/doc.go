// Package retry is the retry policy of stores that speak plain HTTP: a few times, after growing pauses with jitter, or
// when the server says, within limits. Stores with a client library use the library's.
package retry
