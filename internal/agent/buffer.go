package agent

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// buffer keeps batches in a folder, one file each, until they are sent. It
// belongs to one agent.
type buffer struct {
	dir     string
	limit   int64 // bytes
	next    int64
	batches []batchFile // oldest first
	size    int64
	dropped int64 // batches dropped for newer ones
}

type batchFile struct {
	number int64
	size   int64
}

const (
	batchEnd = ".batch"
	partEnd  = ".part"
)

// openBuffer finds the batches that an earlier agent left.
func openBuffer(dir string, limit int64) (*buffer, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("buffer: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("buffer: %w", err)
	}
	b := &buffer{dir: dir, limit: limit, next: 1}
	for _, e := range entries {
		name := e.Name()
		if strings.HasSuffix(name, partEnd) { // was being written when the agent died
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				return nil, fmt.Errorf("buffer: %w", err)
			}
			continue
		}
		number, err := strconv.ParseInt(strings.TrimSuffix(name, batchEnd), 10, 64)
		if err != nil || !strings.HasSuffix(name, batchEnd) {
			continue
		}
		info, err := e.Info()
		if err != nil {
			return nil, fmt.Errorf("buffer: %w", err)
		}
		b.batches = append(b.batches, batchFile{number, info.Size()})
		b.size += info.Size()
		b.next = max(b.next, number+1)
	}
	slices.SortFunc(b.batches, func(x, y batchFile) int { return cmp.Compare(x.number, y.number) })
	return b, nil
}

func (b *buffer) path(number int64, end string) string {
	return filepath.Join(b.dir, fmt.Sprintf("%016d%s", number, end))
}

// add writes a batch durably. If the buffer is over its limit, the oldest batches are dropped.
func (b *buffer) add(body []byte) error {
	number := b.next
	if err := writeDurably(b.path(number, partEnd), b.path(number, batchEnd), body); err != nil {
		return fmt.Errorf("buffer: %w", err)
	}
	b.next++
	b.batches = append(b.batches, batchFile{number, int64(len(body))})
	b.size += int64(len(body))
	for b.size > b.limit && len(b.batches) > 1 {
		if err := b.remove(); err != nil {
			return err
		}
		b.dropped++
	}
	return nil
}

// writeDurably writes a file under another name first, so that half a batch is never sent.
func writeDurably(part, path string, body []byte) (err error) {
	f, err := os.OpenFile(part, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(body)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(part))
	}
	return os.Rename(part, path)
}

// oldest reads the batch that is sent next; ok is false if there is none.
func (b *buffer) oldest() (body []byte, ok bool, err error) {
	for len(b.batches) > 0 {
		body, err := os.ReadFile(b.path(b.batches[0].number, batchEnd))
		if errors.Is(err, os.ErrNotExist) { // removed by others
			b.forget()
			continue
		}
		if err != nil {
			return nil, false, fmt.Errorf("buffer: %w", err)
		}
		return body, true, nil
	}
	return nil, false, nil
}

// remove drops the oldest batch.
func (b *buffer) remove() error {
	err := os.Remove(b.path(b.batches[0].number, batchEnd))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("buffer: %w", err)
	}
	b.forget()
	return nil
}

func (b *buffer) forget() {
	b.size -= b.batches[0].size
	b.batches = b.batches[1:]
}
