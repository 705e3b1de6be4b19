// Package eventqueue takes spot events out of SQS queues while serving: it
// receives messages, stores the events in them, and only then deletes the
// messages.
//
// Delivery is at least once, and storing the same event again changes nothing:
// a process killed at any time loses no event and counts none twice. A message
// that holds no event is left in the queue, so that the queue's redrive policy
// moves it aside, and is logged once per delivery. Messages of other kinds of
// events are deleted. What fails is tried again after a while that grows.
//
// The queue is to be gpuledger's own: whoever else receives from it would take
// events away.
package eventqueue
