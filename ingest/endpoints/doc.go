// Package endpoints are the addresses beside remote_write at which telemetry is
// sent in: OpenTelemetry metrics and checkpoints of training. What they take
// goes through a live.Receiver, so that it is stored when it is answered, once
// however often it comes, and within its limits.
//
// It owns media types, unpacking, the words of answers (OTLP's partial success,
// RFC 9457 problems) and the check of a shared token. It refuses what cannot be
// read as a whole; of checkpoints, a list of which any is wrong.
package endpoints
