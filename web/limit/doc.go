// Package limit keeps clients of the server from starving each other. It bounds
// how many questions, exports, scrapes and connections run at once, how long
// a body may take to arrive and an answer to be read, the size of a body, and the
// rate of requests of a client. Turns are shared fairly: a client holds at most a third of a kind, and
// the next free turn goes to the client that holds the fewest. Requests over a bound are refused with
// 503 or 429 and Retry-After, counted by route and reason, and logged once a minute at most.
//
// It knows nothing of pages, datasets or databases: web.New chooses the bounds of each
// route.
package limit
