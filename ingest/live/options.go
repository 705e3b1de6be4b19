package live

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gpuledger/ingest"
	"gpuledger/ingest/series"
	"gpuledger/internal/ledger"
)

// Options configure a Receiver. Store and Now must be set.
type Options struct {
	Store Store
	Now   func() time.Time
	// Log is the operators' log; nil: none.
	Log *slog.Logger
	// Metrics registers the receiver's metrics, with the prefixes live_ and remote_write_; nil:
	// they are not registered.
	Metrics prometheus.Registerer
	// Kinds are decoders in addition to those of remote_write.
	Kinds map[string]Decoder
	// Series are the options of the collector: the cluster of series without one, units.
	// Series.Cluster overrides the series' own label.
	Series series.Options
	// DefaultCluster names the cluster of series without the label cluster;
	// empty: "default".
	DefaultCluster string
	// FlushEvery is the time between two flushes; 0: 15 s.
	FlushEvery time.Duration
	// Window is the largest age of a sample on receipt; 0: 24 h.
	Window time.Duration
	Limits Limits
}

// Limits bound how much senders can make the receiver hold. Zeros mean the defaults.
type Limits struct {
	Series          int   // series in all; 2,000,000
	SeriesPerSender int   // 500,000
	SeriesPerBody   int   // 100,000
	Body            int64 // bytes as sent; 16 MiB
	Unpacked        int64 // bytes unpacked; 32 MiB
	InFlight        int64 // bytes of all requests being served; 96 MiB
	PerSender       int   // requests of one sender being served; 256
	// Pending bounds the data that waits for a flush, in bytes; 192 MiB. From a quarter of it, a
	// flush starts early.
	Pending int64
}

func (l Limits) withDefaults() Limits {
	set := func(v *int, d int) {
		if *v == 0 {
			*v = d
		}
	}
	set64 := func(v *int64, d int64) {
		if *v == 0 {
			*v = d
		}
	}
	set(&l.Series, 2_000_000)
	set(&l.SeriesPerSender, 500_000)
	set(&l.SeriesPerBody, 100_000)
	set(&l.PerSender, 256)
	set64(&l.Body, 16<<20)
	set64(&l.Unpacked, 32<<20)
	set64(&l.InFlight, 96<<20)
	set64(&l.Pending, 192<<20)
	return l
}

// futureLimit is how far a sender's clock may be ahead.
const futureLimit = 10 * time.Minute

// Store is the part of the database that a receiver needs.
type Store interface {
	// StageTelemetry opens a transaction for facts, as for imports.
	StageTelemetry(ctx context.Context, id ledger.ID) (ingest.TelemetryStage, error)
	// PutInbox stores accepted requests in one transaction, numbered from first. After it returns
	// nil, they survive any kill.
	PutInbox(ctx context.Context, receiver ledger.ID, first int64, list []Stored) error
	// LeaseInbox marks a receiver as alive until the lease is closed or its connection ends.
	LeaseInbox(ctx context.Context, receiver ledger.ID) (Lease, error)
	// InboxBacklog counts the stored requests of all receivers. oldest is zero if there are none.
	InboxBacklog(ctx context.Context) (rows int64, oldest time.Time, err error)
}

// Lease shows that a receiver is alive; it is bound to one connection. It is not safe for
// concurrent use.
type Lease interface {
	// Check returns an error when the lease has ended.
	Check(ctx context.Context) error
	// Adopt takes over the requests of dead receivers. No other lease can adopt them before
	// Release, or the end of this lease.
	Adopt(ctx context.Context) ([]ledger.ID, error)
	// Read returns stored requests of an adopted receiver with numbers above after, in their
	// order, up to some 4 MB.
	Read(ctx context.Context, receiver ledger.ID, after int64) ([]Stored, error)
	// Release ends the adoption of a receiver.
	Release(ctx context.Context, receiver ledger.ID) error
	Close()
}

// Stored is an accepted request in the inbox.
type Stored struct {
	Number     int64 // its order at its receiver; set by Read
	Kind       string
	Sender     string
	ReceivedAt time.Time
	Cluster    string
	Body       []byte // as received, packed
}
