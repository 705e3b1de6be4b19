// Package once makes changes safe to repeat. A client names a request with the header Idempotency-Key. If the same
// request comes again within a day, the client gets the stored answer, and nothing changes a second time. It is one
// middleware for all routes that change something, so no route does anything for it.
//
// Only successful answers are stored: a refused request changed nothing and may be sent again with its key. Another
// request with the same key is refused (422), and so is one that comes while the first still runs (409). Keys of
// different clients are independent. The package knows no database.
package once
