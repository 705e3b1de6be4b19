// Package live takes telemetry as it comes: requests that are acknowledged,
// and facts of scrapes and watches that nobody waits for. It flushes them to
// the store every few seconds.
//
// It owns the way of a request: it is read and checked, stored in the inbox
// together with those that came at the same time, acknowledged, and applied to
// one long-lived series.Collector. A flush publishes what was collected and
// forgets the inbox rows in the same transaction, so that what was acknowledged
// is always in exactly one of the two places, whatever is killed when. Requests
// of a receiver that died are replayed by the next one. Merging is commutative
// and idempotent, so a request that was stored twice counts once.
//
// It refuses, per sample and with a countable reason, what can never be
// accepted, and takes the rest of the same request. When the database is away
// or slow, or more waits than may be held, it says so and the sender comes
// again. Memory is bounded whatever is sent: by bytes in flight, by series per
// sender and in all, and by what waits for a flush. Series of names that mean
// nothing here take no room.
//
// What bodies say is decoded by Decoders, one per kind; those of remote_write
// are built in. Pages and other protocols meet it through Receiver.Accept and
// Receiver.Put.
package live
