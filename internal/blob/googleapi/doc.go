// Package googleapi calls the JSON APIs of Google Cloud that this program
// reads from: Cloud Storage and BigQuery.
//
// It owns credentials (application default credentials, through Google's own
// library), the project that a quota is counted for, trying again, and the
// form of errors. It guarantees that only requests which may be repeated are
// sent twice, and that a token goes to no server but the one that was named.
//
// Google's clients for these two services would do the same and bring 300
// packages along: gRPC with xDS, OpenTelemetry and a second generation of
// Arrow. What is used of them here is a listing, a ranged read and a query.
package googleapi
