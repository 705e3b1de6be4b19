// Package googleapi calls the JSON APIs of Google Cloud that this program
// uses: Cloud Storage and BigQuery.
//
// It owns credentials (application default credentials, through Google's own library), the project that quota counts
// for, retries, and the form of errors. It guarantees that only repeatable requests are sent twice, and that a token
// goes only to the configured server.
//
// Google's clients for these two services would do the same but add 300 packages: gRPC with xDS, OpenTelemetry and a
// second generation of Arrow. Needed here are only a listing, a ranged read, an upload and a query.
package googleapi
