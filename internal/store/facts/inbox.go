package facts

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/ingest/live"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
)

// inboxSep separates the sender from the request's cluster.
const inboxSep = "\x1f"

// PutInbox stores accepted requests in one transaction, numbered from first.
func (s *Facts) PutInbox(ctx context.Context, receiver ledger.ID, first int64, list []live.Stored) error {
	kinds, senders := make([]string, len(list)), make([]string, len(list))
	received, bodies := make([]time.Time, len(list)), make([][]byte, len(list))
	for i := range list {
		kinds[i], received[i], bodies[i] = list[i].Kind, list[i].ReceivedAt, list[i].Body
		senders[i] = pg.CleanText(list[i].Sender)
		if list[i].Cluster != "" {
			senders[i] += inboxSep + pg.CleanText(list[i].Cluster)
		}
	}
	if _, err := s.Pool.Exec(ctx, pg.Statement("inbox.put"), pg.Tenant, receiver, first, kinds, senders, received,
		bodies); err != nil {
		return fmt.Errorf("inbox.put: %w", err)
	}
	return nil
}

// InboxBacklog returns the number of stored requests of all receivers and the arrival of the oldest; zero if there are
// none.
func (s *Facts) InboxBacklog(ctx context.Context) (rows int64, oldest time.Time, err error) {
	b, err := pg.One[struct {
		Rows   int64
		Oldest *time.Time
	}](ctx, s.Pool, "inbox.backlog", pg.Tenant)
	if b.Oldest != nil {
		oldest = *b.Oldest
	}
	return b.Rows, oldest, err
}

// inboxLease is a connection that holds the advisory locks of a receiver and of those that it adopted. The server
// releases them when the connection ends.
type inboxLease struct {
	conn     *pgx.Conn
	receiver ledger.ID
	adopted  map[ledger.ID]bool
}

// LeaseInbox marks a receiver as alive until the lease is closed or its connection ends.
func (s *Facts) LeaseInbox(ctx context.Context, receiver ledger.ID) (live.Lease, error) {
	conn, err := pgx.ConnectConfig(ctx, s.Pool.Config().ConnConfig.Copy())
	if err != nil {
		return nil, fmt.Errorf("connect for the lease: %w", err)
	}
	pg.RegisterTypes(conn)
	l := &inboxLease{conn: conn, receiver: receiver, adopted: map[ledger.ID]bool{}}
	if _, err := conn.Exec(ctx, pg.Statement("inbox.lease_settings")); err != nil {
		l.Close() //nolint:contextcheck // also ends the connection if ctx has ended
		return nil, fmt.Errorf("inbox.lease_settings: %w", err)
	}
	if ok, err := l.lock(ctx, receiver); err != nil || !ok {
		l.Close() //nolint:contextcheck // also ends the connection if ctx has ended
		if err == nil {
			err = fmt.Errorf("receiver %s has a lease already", receiver)
		}
		return nil, err
	}
	return l, nil
}

// lockKey is the advisory lock of a receiver. Ids are random, so the first half is unique enough.
func lockKey(receiver ledger.ID) int64 { return int64(binary.BigEndian.Uint64(receiver[:])) }

func (l *inboxLease) lock(ctx context.Context, receiver ledger.ID) (bool, error) {
	return pg.Value[bool](ctx, l.conn, "inbox.lock", lockKey(receiver))
}

// Check returns an error if the connection has ended.
func (l *inboxLease) Check(ctx context.Context) error { return l.conn.Ping(ctx) }

// Adopt takes over the requests of receivers that are dead and not yet adopted.
func (l *inboxLease) Adopt(ctx context.Context) ([]ledger.ID, error) {
	others, err := pg.Values[ledger.ID](ctx, l.conn, "inbox.receivers", pg.Tenant, l.receiver)
	if err != nil {
		return nil, err
	}
	var dead []ledger.ID
	for _, id := range others {
		if l.adopted[id] {
			continue
		}
		ok, err := l.lock(ctx, id)
		if err != nil {
			return nil, err
		}
		if ok {
			l.adopted[id] = true
			dead = append(dead, id)
		}
	}
	return dead, nil
}

// Read returns stored requests of an adopted receiver, in order, up to about 4 MB.
func (l *inboxLease) Read(ctx context.Context, receiver ledger.ID, after int64) (list []live.Stored, err error) {
	list, err = pg.List[live.Stored](ctx, l.conn, "inbox.read", pg.Tenant, receiver, after)
	for i := range list {
		list[i].Sender, list[i].Cluster, _ = strings.Cut(list[i].Sender, inboxSep)
	}
	return list, err
}

// Release ends an adoption.
func (l *inboxLease) Release(ctx context.Context, receiver ledger.ID) error {
	if !l.adopted[receiver] {
		return nil
	}
	delete(l.adopted, receiver)
	_, err := pg.Value[bool](ctx, l.conn, "inbox.unlock", lockKey(receiver))
	return err
}

// Close ends the lease and all adoptions.
func (l *inboxLease) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	// After Close returns, the server needs a moment to end the session and its locks. Unlock explicitly, because a
	// process that looks for dead receivers in that moment would not look again for a minute.
	for _, id := range append(slices.Collect(maps.Keys(l.adopted)), l.receiver) {
		if _, err := l.conn.Exec(ctx, pg.Statement("inbox.unlock"), lockKey(id)); err != nil {
			break // the locks ended with the connection
		}
	}
	_ = l.conn.Close(ctx) // the server ends the session anyway
}
