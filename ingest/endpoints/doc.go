// Package endpoints receives telemetry outside remote_write: OpenTelemetry metrics and
// checkpoints of training. It passes requests to a live.Receiver. So they are stored before the
// answer, counted once however often they are sent, and subject to its limits.
//
// It owns media types, unpacking, the texts of answers (OTLP's partial success, RFC 9457
// problems) and the check of a shared token. It refuses unreadable requests as a whole, and a
// list of checkpoints if any of them is invalid.
package endpoints
