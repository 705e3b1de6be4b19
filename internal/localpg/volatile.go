package localpg

import (
	"context"
	"errors"
	"time"
)

// Volatile is a server whose life is bound to this process and whose data may
// be lost: for tests.
type Volatile struct {
	cluster *cluster
	child   *child
}

// volatileSettings trade durability for speed.
var volatileSettings = map[string]string{
	"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off",
	"shared_buffers": "64MB", "max_connections": "80", "max_wal_size": "512MB",
}

// StartVolatile starts a server under dir that ends with this process, also
// when the process is killed.
func StartVolatile(ctx context.Context, dir, bin string) (*Volatile, error) {
	bin, err := Find(bin)
	if err != nil {
		return nil, err
	}
	c, err := newCluster(dir, bin)
	if err != nil {
		return nil, err
	}
	c.volatile = true
	if err := c.ensureInitialised(ctx); err != nil {
		return nil, err
	}
	ch, err := c.startChild(volatileSettings) //nolint:contextcheck // ctx ends with the start, the server does not
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	err = c.waitReady(ctx, func() (string, bool) {
		select {
		case <-ch.done:
			return ch.exitText(), true
		default:
			return "", false
		}
	})
	if err != nil {
		return nil, errors.Join(err, ch.stop())
	}
	return &Volatile{c, ch}, nil
}

// DSN is the connection string of a database on the server.
func (v *Volatile) DSN(database string) string { return (&Server{cluster: v.cluster}).DSN(database) }
