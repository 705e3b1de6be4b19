package localpg

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"time"
)

// socketName is the server's socket in its folder.
const socketName = ".s.PGSQL.5432"

// ready asks the server on the socket to authenticate us, which it does only
// once it accepts work: the first steps of the PostgreSQL wire protocol.
func (c *cluster) ready() error {
	conn, err := net.DialTimeout("unix", filepath.Join(c.socket, socketName), time.Second)
	if err != nil {
		return err
	}
	defer conn.Close() //nolint:errcheck // nothing is lost: the answer is what counts
	if err := conn.SetDeadline(time.Now().Add(2 * time.Second)); err != nil {
		return err
	}
	body := "user\x00" + User + "\x00database\x00postgres\x00\x00"
	message := binary.BigEndian.AppendUint32(nil, uint32(8+len(body)))
	message = binary.BigEndian.AppendUint32(message, 3<<16)
	if _, err := conn.Write(append(message, body...)); err != nil {
		return err
	}
	var kind [1]byte
	if _, err := io.ReadFull(conn, kind[:]); err != nil {
		return err
	}
	if kind[0] != 'R' {
		return fmt.Errorf("the server is not ready yet")
	}
	_, err = conn.Write([]byte{'X', 0, 0, 0, 4}) // goodbye
	return err
}

// waitReady polls until the server is ready, it ended, or ctx is done.
func (c *cluster) waitReady(ctx context.Context, ended func() (string, bool)) error {
	for {
		err := c.ready()
		if err == nil {
			return nil
		}
		if why, over := ended(); over {
			return fmt.Errorf("start the local PostgreSQL: %s", why)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the local PostgreSQL: %w (last: %w)", ctx.Err(), err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}
