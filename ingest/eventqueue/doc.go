// Package eventqueue consumes spot events from SQS queues while gpuledger serves: it receives
// messages, stores the events in them, and only then deletes the messages.
//
// Delivery is at least once, and storing the same event again changes nothing: a process killed
// at any time loses no event and counts none twice. A message without an event stays in the
// queue, so that the queue's redrive policy moves it aside, and is logged once per delivery.
// Messages with other kinds of events are deleted. Failures are retried after increasing
// pauses.
//
// The queue must be used by gpuledger alone: any other consumer would take events away.
package eventqueue
