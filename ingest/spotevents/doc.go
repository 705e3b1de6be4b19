// Package spotevents reads what EventBridge says about EC2 instances:
// interruption warnings, rebalance recommendations and state changes.
//
// It accepts one event, an array, one per line or events simply written one
// after the other, each bare or wrapped by SNS (Message) and SQS (Body), and
// packed in the lists that receive-message and Lambda give. It takes the
// instance from detail.instance-id, never from the ARN, whose fields differ
// between event types. Delivery is at least once: an event is known by
// (account, instance, kind, detail, time), and repeats in one import are
// counted as ignored.
//
// Other detail types are ignored and counted by name. An event that lacks its
// instance, its time or its state is rejected with file and line; text that is
// no JSON, or that ends in the middle, refuses the file.
package spotevents
