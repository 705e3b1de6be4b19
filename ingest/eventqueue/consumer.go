package eventqueue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"gpuledger/ingest/spotevents"
	"gpuledger/internal/ledger"
)

// Queue is the part of SQS that a consumer uses.
type Queue interface {
	ReceiveMessage(ctx context.Context, in *sqs.ReceiveMessageInput,
		opts ...func(*sqs.Options)) (*sqs.ReceiveMessageOutput, error)
	DeleteMessageBatch(ctx context.Context, in *sqs.DeleteMessageBatchInput,
		opts ...func(*sqs.Options)) (*sqs.DeleteMessageBatchOutput, error)
}

// Consumer consumes events from one queue.
type Consumer struct {
	URL   string
	Queue Queue
	// Publish stores events, keyed as in ledger.InstanceEvent, and returns how many were new.
	Publish func(ctx context.Context, events []ledger.InstanceEvent) (fresh int64, err error)
	// Arrived is called after new events were stored; may be nil.
	Arrived func()
	Log     *slog.Logger
	// Wait is how long SQS waits for messages before it returns none; 0 = 20 s, SQS' maximum.
	Wait time.Duration
	// Pause is the first pause after a failure, doubled up to a minute; 0 = 1 s.
	Pause time.Duration
}

const (
	longestWait  = 20 * time.Second
	longestPause = time.Minute
	// batch is SQS' limit of messages per receive and delete.
	batch = 10
	// deleteTimeout bounds the deletion of stored messages after ctx has ended.
	deleteTimeout = 5 * time.Second
)

// Run consumes events until ctx ends.
func (c *Consumer) Run(ctx context.Context) {
	first := c.Pause
	if first == 0 {
		first = time.Second
	}
	pause := first
	for ctx.Err() == nil {
		err := c.Once(ctx)
		if err == nil {
			pause = first
			continue
		}
		if ctx.Err() != nil {
			return
		}
		c.Log.WarnContext(ctx, "spot events could not be read from the queue", "queue", c.URL, "error", err.Error(),
			"again_in", pause.String())
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
		pause = min(2*pause, longestPause)
	}
}

// Once receives messages once, at most ten, and stores their events.
func (c *Consumer) Once(ctx context.Context) error {
	wait := c.Wait
	if wait == 0 {
		wait = longestWait
	}
	got, err := c.Queue.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{
		QueueUrl: aws.String(c.URL), MaxNumberOfMessages: batch, WaitTimeSeconds: int32(wait / time.Second),
	})
	if err != nil {
		return fmt.Errorf("receive: %w; gpuledger needs sqs:ReceiveMessage on the queue", err)
	}
	var all spotevents.Reader
	var done []types.DeleteMessageBatchRequestEntry
	for i, m := range got.Messages {
		if !c.read(ctx, &all, m) {
			continue
		}
		done = append(done, types.DeleteMessageBatchRequestEntry{
			Id: aws.String(fmt.Sprint(i)), ReceiptHandle: m.ReceiptHandle,
		})
	}
	if len(all.Events) > 0 {
		fresh, err := c.Publish(ctx, all.Events)
		if err != nil {
			return fmt.Errorf("store %d events: %w", len(all.Events), err)
		}
		if fresh > 0 && c.Arrived != nil {
			c.Arrived()
		}
	}
	return c.remove(ctx, done)
}

// read parses a message; false leaves it in the queue.
func (c *Consumer) read(ctx context.Context, all *spotevents.Reader, m types.Message) bool {
	var one spotevents.Reader
	body := aws.ToString(m.Body)
	err := one.Parse(ctx, strings.NewReader(body), "message "+aws.ToString(m.MessageId))
	if err == nil && one.Tally.RejectedRows() > 0 {
		err = errors.New(one.Tally.First[0].String())
	}
	if err != nil {
		c.Log.WarnContext(ctx, "a message without an event is left in the queue", "queue", c.URL, "error", err.Error())
		return false
	}
	all.Events = append(all.Events, one.Events...)
	return true
}

// remove deletes messages whose events are stored, even after ctx has ended: they would be
// delivered again otherwise.
func (c *Consumer) remove(ctx context.Context, done []types.DeleteMessageBatchRequestEntry) error {
	if len(done) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), deleteTimeout)
	defer cancel()
	out, err := c.Queue.DeleteMessageBatch(ctx, &sqs.DeleteMessageBatchInput{QueueUrl: aws.String(c.URL), Entries: done})
	if err != nil {
		return fmt.Errorf("delete: %w; gpuledger needs sqs:DeleteMessage on the queue", err)
	}
	if len(out.Failed) > 0 {
		return fmt.Errorf("delete: %d messages were not deleted and will be delivered again: %s", len(out.Failed),
			aws.ToString(out.Failed[0].Message))
	}
	return nil
}
