// Package spotevents reads clouds' events about single machines: warnings that one will be
// taken back, confirmations that it was, and its changes of state.
//
//   - AWS: EventBridge events (interruption warnings, also of capacity
//     reservations, rebalance recommendations, state changes, AWS Health) and
//     CloudTrail's BidEvictedEvent;
//   - Google Cloud: audit log entries compute.instances.preempted;
//   - Azure: documents of Scheduled Events.
//
// It accepts one event, an array, one per line or events one after the other, each bare or
// wrapped by SNS (Message), SQS (Body) or Pub/Sub (message.data), and in the lists of
// receive-message, Lambda and CloudTrail's files. It takes an EC2 instance from
// detail.instance-id, never from the ARN, whose fields differ between event types. Delivery is
// at least once: an event is identified by (account, instance, kind, detail, time), on Google
// by its operation, on Azure by its EventId, and repeats in one import are counted as ignored.
//
// Only interruption warnings, preemptions and Azure's Preempt mean that a machine is taken; a
// rebalance recommendation, a scheduled reboot or a Health event alone does not.
//
// Other kinds of event are ignored and counted by name. An event that lacks its instance, its
// time or its state is rejected with file and line; text that is not JSON, or is truncated,
// refuses the file.
package spotevents
