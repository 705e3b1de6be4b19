// Package limit keeps clients of the server from starving each other. It bounds
// what is under way at once (questions, exports, scrapes, connections), how long
// a request may take to come and its answer to be read, how large a body is, and how
// often one client asks. Turns are shared: nobody holds more than a third of a kind, and
// the next free one goes to the client that holds the fewest. What is over a bound is turned away at once with 503 or
// 429 and Retry-After, counted by route and reason, and logged once a minute at most.
//
// It knows nothing of pages, datasets or databases: web.New says which routes
// are bounded by what.
package limit
