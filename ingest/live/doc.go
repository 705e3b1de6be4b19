// Package live receives live telemetry: requests that are acknowledged, and facts of scrapes
// and watches, which are not. It flushes them to the store every few seconds.
//
// A request is read and checked, stored in the inbox together with concurrent ones,
// acknowledged, and applied to one long-lived series.Collector. A flush publishes the collected
// facts and deletes the inbox rows in the same transaction, so acknowledged samples are always
// in exactly one of the two places, whichever process is killed when. The next receiver replays
// the requests of a dead one. Merging is commutative and idempotent, so a request that was
// stored twice counts once.
//
// It refuses invalid samples one by one, with a countable reason, and accepts the rest of the
// request. If the database is down or slow, or too much data waits, the sender gets a status
// that makes it retry. Memory is bounded whatever is sent: by bytes in flight, by series per
// sender and in all, and by the data that waits for a flush. Series with unread names take no
// memory.
//
// Decoders decode bodies, one per kind; those of remote_write are built in. Pages and other
// protocols use Receiver.Accept and Receiver.Put.
package live
