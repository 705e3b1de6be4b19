package blob

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/klauspost/compress/flate"
)

// Bounds of a zip archive.
const (
	maxEntries   = 10_000
	maxDirectory = 16 << 20 // bytes of its table of contents
)

// expandArchives replaces zip archives by their entries. A damaged archive stays one file, and opening it returns the
// reason.
func expandArchives(ctx context.Context, files []File) ([]File, error) {
	var out []File
	for i, f := range files {
		if !strings.HasSuffix(strings.ToLower(f.Name), ".zip") {
			if out != nil {
				out = append(out, f)
			}
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		entries, err := entriesOf(f)
		if err != nil {
			f.src = unreadable{err}
			entries = []File{f}
		}
		if out == nil {
			out = append(make([]File, 0, len(files)+len(entries)), files[:i]...)
		}
		out = append(out, entries...)
	}
	if out == nil {
		return files, nil
	}
	return out, nil
}

// unreadable is a file that cannot be opened.
type unreadable struct{ err error }

func (u unreadable) open() (io.ReadCloser, error) { return nil, u.err }
func (u unreadable) random() (Random, error)      { return nil, u.err }

// bounded is a reader that returns an error after a number of bytes.
type bounded struct {
	r    io.ReaderAt
	left int64
}

var errDirectory = errors.New("the table of contents of the zip archive is too long: unpack it and import the folder")

// ReadAt implements io.ReaderAt.
func (b *bounded) ReadAt(p []byte, off int64) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		return 0, errDirectory
	}
	return b.r.ReadAt(p, off)
}

func entriesOf(f File) (files []File, err error) {
	at, err := f.source().random()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, at.Close()) }()
	size, err := at.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	archive, err := zip.NewReader(&bounded{at, maxDirectory}, size)
	switch {
	case errors.Is(err, zip.ErrFormat) && startsLikeZip(at):
		return nil, fmt.Errorf("%w (its table of contents is missing)", ErrTruncated)
	case errors.Is(err, zip.ErrFormat):
		return []File{f}, nil // another kind of file with that name
	case err != nil && !errors.Is(err, zip.ErrInsecurePath):
		return nil, err
	}
	if len(archive.File) > maxEntries {
		return nil, fmt.Errorf("the zip archive has %d entries, more than %d: unpack it and import the folder",
			len(archive.File), maxEntries)
	}
	var unpacked uint64
	seen := map[string]bool{}
	for _, z := range archive.File {
		if err := checkEntry(z, size); err != nil {
			return nil, err
		}
		if strings.HasSuffix(z.Name, "/") || hidden(z.Name) {
			continue
		}
		if seen[z.Name] {
			return nil, fmt.Errorf("the zip archive has two entries %q: unpack it and import the file that counts", z.Name)
		}
		seen[z.Name] = true
		// Entries that overlap unpack the same bytes again and again.
		if unpacked += z.UncompressedSize64; unpacked > DefaultMaxBytes ||
			(unpacked > ratioFree && unpacked/DefaultMaxRatio > uint64(size)) {
			return nil, fmt.Errorf("%w: the entries of the zip archive expand %[3]d bytes to %[2]d; if that is right, unpack "+
				"it and import the folder", ErrTooLarge, unpacked, size)
		}
		entry := f
		entry.Size = int64(z.CompressedSize64)
		entry.Name, entry.Path = f.Name+"/"+z.Name, f.Path+"/"+z.Name
		start, err := z.DataOffset()
		if err != nil {
			return nil, fmt.Errorf("%w (entry %q of the zip archive)", ErrDamaged, z.Name)
		}
		entry.src = &zipEntry{archive: f.source(), packed: z.Method == zip.Deflate, crc: z.CRC32,
			start: start, size: entry.Size, unpacked: int64(z.UncompressedSize64)}
		files = append(files, entry)
	}
	if len(files) == 1 {
		files[0].Name, files[0].Path = f.Name, f.Path
	}
	return files, nil
}

func startsLikeZip(at io.ReaderAt) bool {
	magic := make([]byte, 4)
	_, err := at.ReadAt(magic, 0)
	return err == nil && bytes.Equal(magic, []byte("PK\x03\x04"))
}

func hidden(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") || part == "__MACOSX" {
			return true
		}
	}
	return false
}

// checkEntry refuses an entry that is not a plain file of plausible size.
func checkEntry(z *zip.File, size int64) error {
	const encrypted = 1
	name := strings.TrimSuffix(z.Name, "/")
	switch {
	case name == "" || !fs.ValidPath(name) || strings.ContainsAny(name, "\\:\x00"):
		return fmt.Errorf("the entry %q of the zip archive leads out of it: unpack it in a separate folder, "+
			"check the files, and import them", z.Name)
	case z.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("the entry %q of the zip archive is a symbolic link: unpack it and import the files", z.Name)
	case z.Flags&encrypted != 0:
		return fmt.Errorf("the entry %q of the zip archive is encrypted: unpack it yourself", z.Name)
	case z.Method != zip.Store && z.Method != zip.Deflate:
		return fmt.Errorf("the entry %q of the zip archive is packed by method %d: pack it again with deflate", z.Name,
			z.Method)
	case z.CompressedSize64 > uint64(size):
		return fmt.Errorf("%w: the entry %q is larger than its zip archive", ErrDamaged, z.Name)
	}
	return nil
}

// zipEntry reads one entry of an archive; its stored bytes are the packed ones.
type zipEntry struct {
	archive  source
	packed   bool
	crc      uint32
	start    int64 // of the packed bytes in the archive
	size     int64 // of the packed bytes
	unpacked int64 // by the table of contents
}

// section is a part of an archive that closes it.
type section struct {
	*io.SectionReader
	io.Closer
}

func (e *zipEntry) stored() (section, error) {
	at, err := e.archive.random()
	if err != nil {
		return section{}, err
	}
	return section{io.NewSectionReader(at, e.start, e.size), at}, nil
}

func (e *zipEntry) open() (io.ReadCloser, error) { return e.stored() }

// random unpacks the entry into a temporary file without a name, so that nothing of it remains however the process
// ends.
func (e *zipEntry) random() (Random, error) {
	in, err := e.stored()
	if err != nil || !e.packed {
		return in, err
	}
	spool, err := NewSpool()
	if err == nil {
		limits := Limits{}.orDefault()
		if limits.exceeded(e.unpacked, e.size) {
			err = fmt.Errorf("%w (%d bytes from %d)", ErrTooLarge, e.unpacked, e.size)
		} else if _, err = io.CopyBuffer(spool.File, e.inflater(in), make([]byte, bufferSize)); err != nil {
			err = damaged(err)
		}
	}
	if err == nil {
		_, err = spool.Seek(0, io.SeekStart)
	}
	if err = errors.Join(err, in.Close()); err != nil {
		if spool != nil {
			err = errors.Join(err, spool.Close())
		}
		return nil, err
	}
	return spool, nil
}

func damaged(err error) error {
	switch {
	case errors.Is(err, ErrDamaged):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return ErrTruncated
	}
	if corrupt := flate.CorruptInputError(0); errors.As(err, &corrupt) {
		return fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	return err
}

// Spool is a temporary file without a name: it is gone when it is closed, or with the process.
type Spool struct{ *os.File }

// NewSpool makes a Spool in the system's folder for temporary files.
func NewSpool() (*Spool, error) {
	file, err := os.CreateTemp("", "gpuledger-spool-*")
	if err != nil {
		return nil, fmt.Errorf("make a temporary file: %w", err)
	}
	if err := os.Remove(file.Name()); err != nil {
		return nil, errors.Join(fmt.Errorf("make a temporary file: %w", err), file.Close())
	}
	return &Spool{file}, nil
}

// inflate puts the entry's decoder in front of its stored bytes.
func (r *Reader) inflate(e *zipEntry) {
	r.packed = r.packed || e.packed
	r.in = e.inflater(r.in)
}

// inflater unpacks what in reads and compares it with the table of contents.
func (e *zipEntry) inflater(in io.Reader) io.Reader {
	if e.packed {
		in = flate.NewReader(in)
	}
	return &verified{in: in, entry: e, sum: crc32.NewIEEE()}
}

// verified checks size and checksum of an unpacked entry.
type verified struct {
	in    io.Reader
	entry *zipEntry
	sum   hash.Hash32
	n     int64
}

// Read implements io.Reader.
func (v *verified) Read(p []byte) (int, error) {
	n, err := v.in.Read(p)
	v.sum.Write(p[:n])
	v.n += int64(n)
	if v.n > v.entry.unpacked {
		return 0, fmt.Errorf("%w (it is longer than stated in its zip archive)", ErrDamaged)
	}
	if err == io.EOF && (v.n != v.entry.unpacked || v.sum.Sum32() != v.entry.crc) {
		return n, fmt.Errorf("%w (length or checksum does not match its zip archive)", ErrDamaged)
	}
	return n, err
}
