package live

import (
	"context"
	"fmt"

	"gpuledger/internal/ledger"
)

// adopt renews this receiver's lease, and replays requests of dead receivers.
func (r *Receiver) adopt(ctx context.Context) {
	if err := r.tryAdopt(ctx); err != nil && ctx.Err() == nil {
		r.opt.Log.Warn("the requests of dead receivers could not be taken over; they wait in the inbox", "error", err)
	}
}

func (r *Receiver) tryAdopt(ctx context.Context) error {
	dead, err := r.dead(ctx)
	if err != nil {
		return err
	}
	for _, receiver := range dead {
		n, err := r.replay(ctx, receiver)
		if err != nil {
			r.endAdoption(ctx, receiver) // applied requests are settled; the rest is read again
		}
		if n > 0 {
			r.opt.Log.Info("replayed the requests of a receiver that died", "receiver", receiver.String(), "requests", n)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// dead lists dead receivers whose requests this one has taken over.
func (r *Receiver) dead(ctx context.Context) ([]ledger.ID, error) {
	r.flushing.Lock()
	defer r.flushing.Unlock()
	ctx, cancel := context.WithTimeout(ctx, leaseTimeout)
	defer cancel()
	if r.lease != nil && r.lease.Check(ctx) != nil {
		r.lease.Close()
		r.lease = nil
	}
	if r.lease == nil {
		lease, err := r.opt.Store.LeaseInbox(ctx, r.id)
		if err != nil {
			return nil, fmt.Errorf("lease the inbox: %w", err)
		}
		r.lease = lease
	}
	list, err := r.lease.Adopt(ctx)
	if err != nil {
		return nil, fmt.Errorf("adopt requests: %w", err)
	}
	return list, nil
}

// replay applies the stored requests of a dead receiver. The next flush deletes them.
func (r *Receiver) replay(ctx context.Context, receiver ledger.ID) (n int, err error) {
	for after := int64(0); ; {
		list, err := r.readDead(ctx, receiver, after)
		if err != nil {
			return n, fmt.Errorf("read requests of %s: %w", receiver, err)
		}
		for i := range list {
			if !r.replayOne(&list[i]) {
				return n, nil // of a newer version, which will replay it
			}
			after = list[i].Number
			n++
			r.mu.Lock()
			r.adopted[receiver] = after
			r.changed()
			full := r.held() > r.opt.Limits.Pending/2
			r.mu.Unlock()
			if full {
				if err := r.flush(ctx); err != nil {
					return n, err
				}
			}
		}
		if len(list) == 0 {
			if n == 0 {
				r.endAdoption(ctx, receiver)
			}
			return n, nil
		}
	}
}

func (r *Receiver) readDead(ctx context.Context, receiver ledger.ID, after int64) ([]Stored, error) {
	r.flushing.Lock()
	defer r.flushing.Unlock()
	if r.lease == nil {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, leaseTimeout)
	defer cancel()
	return r.lease.Read(ctx, receiver, after)
}

// replaySlack, in ms, widens the accepted times of a replay: the inbox stores receipt times to
// the second, and acknowledged samples must be accepted.
const replaySlack = 2000

// replayOne decodes a stored request as on its receipt. False: this version does not know its
// kind.
func (r *Receiver) replayOne(in *Stored) bool {
	decode := r.kinds[in.Kind]
	if decode == nil {
		r.opt.Log.Error("a stored request has a kind that this version does not know; it is kept", "kind", in.Kind)
		return false
	}
	r.mu.Lock()
	s := r.senderOf(in.Sender)
	r.mu.Unlock()
	b := r.newBatch(s, in.Cluster, in.ReceivedAt)
	b.replay = true
	b.oldest, b.newest = b.oldest-replaySlack, b.newest+replaySlack
	if err := decode(in.Body, b); err != nil {
		// It was accepted once, so only another version of the decoder can refuse it.
		r.opt.Log.Error("this version refused a stored request; it was dropped", "kind", in.Kind, "error", err)
		return true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.apply(b)
	b.recycle()
	return true
}

func (r *Receiver) endAdoption(ctx context.Context, receiver ledger.ID) {
	r.flushing.Lock()
	defer r.flushing.Unlock()
	r.release(ctx, receiver)
}

// release ends an adoption; without a lease there is none. The lock flushing is held.
func (r *Receiver) release(ctx context.Context, receiver ledger.ID) {
	if r.lease == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaseTimeout)
	defer cancel()
	if err := r.lease.Release(ctx, receiver); err != nil {
		r.opt.Log.Warn("end of an adoption", "error", err)
	}
}
