package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gpuledger/internal/period"
)

// source reads the stored bytes of one file.
type source interface {
	// open reads them from the start.
	open() (io.ReadCloser, error)
	// random reads them anywhere.
	random() (Random, error)
}

// localFile is a file below an import root. It is opened through os.Root, so that no symbolic link leads out of it,
// even if it was made after the listing.
type localFile struct {
	root, rel string
	seen      fs.FileInfo // as listed; nil if the file was never listed
}

func listLocal(ctx context.Context, uri, name string) ([]File, error) {
	name = filepath.Clean(name)
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", uri, plain(err))
	}
	if !info.IsDir() {
		if !info.Mode().IsRegular() {
			return nil, fmt.Errorf("open %s: not a regular file", uri)
		}
		// A link that the user names means its target.
		real, err := filepath.EvalSymlinks(name)
		if err != nil {
			return nil, fmt.Errorf("open %s: %w", uri, plain(err))
		}
		return []File{
			local(name, filepath.Base(name), &localFile{root: filepath.Dir(real), rel: filepath.Base(real), seen: info}),
		}, nil
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", uri, plain(err))
	}
	defer root.Close() //nolint:errcheck // a directory opened for reading
	w := walk{ctx: ctx, dir: name, root: root}
	if err := fs.WalkDir(root.FS(), ".", w.visit); err != nil {
		return nil, fmt.Errorf("list %s: %w", uri, err)
	}
	for _, link := range w.links {
		if err := w.follow(link); err != nil {
			return nil, fmt.Errorf("list %s: %w", uri, err)
		}
	}
	return w.files, nil
}

func local(path, name string, src *localFile) File {
	return File{Name: name, Path: path, Size: src.seen.Size(), Changed: period.FromTime(src.seen.ModTime()), src: src,
		Version: fmt.Sprintf("%d-%x", src.seen.Size(), src.seen.ModTime().UnixNano())}
}

type walk struct {
	ctx   context.Context //nolint:containedctx // of one call
	dir   string
	root  *os.Root
	files []File
	links []string
}

func (w *walk) visit(rel string, d fs.DirEntry, err error) error {
	if err != nil {
		return err
	}
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if rel != "." && strings.HasPrefix(d.Name(), ".") {
		if d.IsDir() {
			return fs.SkipDir
		}
		return nil
	}
	switch {
	case d.Type()&fs.ModeSymlink != 0:
		w.links = append(w.links, rel)
	case d.Type().IsRegular():
		info, err := d.Info()
		if err != nil {
			return err
		}
		w.files = append(w.files, local(filepath.Join(w.dir, rel), rel, &localFile{root: w.dir, rel: rel, seen: info}))
	}
	return nil
}

// follow takes the file behind a symbolic link, unless it is in the listing already. A link that leads out of the
// directory or nowhere is an error.
func (w *walk) follow(rel string) error {
	info, err := w.root.Stat(rel)
	if err != nil {
		return fmt.Errorf("%s is a symbolic link that leads out of the directory or nowhere (%w): remove it, or import "+
			"its target by name", rel, plain(err))
	}
	if !info.Mode().IsRegular() {
		return nil
	}
	for i := range w.files {
		if os.SameFile(info, w.files[i].src.(*localFile).seen) {
			return nil
		}
	}
	w.files = append(w.files,
		local(filepath.Join(w.dir, rel), filepath.ToSlash(rel), &localFile{root: w.dir, rel: rel, seen: info}))
	return nil
}

func (l *localFile) openPinned() (*pinnedFile, error) {
	file, err := os.OpenInRoot(l.root, l.rel)
	if err != nil {
		if l.seen != nil && errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%w (%w)", ErrChanged, plain(err))
		}
		return nil, plain(err)
	}
	p := &pinnedFile{file: file, seen: l.seen}
	if err := p.check(); err != nil {
		_ = file.Close() // the change is the error to report
		return nil, err
	}
	return p, nil
}

func (l *localFile) open() (io.ReadCloser, error) { return l.openPinned() }
func (l *localFile) random() (Random, error)      { return l.openPinned() }

// pinnedFile is a local file that must stay as listed: read data count only if the file looks the same after the read.
type pinnedFile struct {
	file *os.File // not embedded: its WriteTo would bypass the check
	seen fs.FileInfo
}

func (p *pinnedFile) check() error {
	if p.seen == nil {
		return nil
	}
	now, err := p.file.Stat()
	if err != nil {
		return plain(err)
	}
	if !os.SameFile(now, p.seen) || now.Size() != p.seen.Size() || !now.ModTime().Equal(p.seen.ModTime()) {
		return ErrChanged
	}
	return nil
}

func (p *pinnedFile) checked(n int, err error) (int, error) {
	if changed := p.check(); changed != nil {
		return 0, changed
	}
	return n, err
}

// Read implements io.Reader.
func (p *pinnedFile) Read(b []byte) (int, error) { return p.checked(p.file.Read(b)) }

// ReadAt implements io.ReaderAt.
func (p *pinnedFile) ReadAt(b []byte, off int64) (int, error) {
	return p.checked(p.file.ReadAt(b, off))
}

// Seek implements io.Seeker.
func (p *pinnedFile) Seek(off int64, whence int) (int64, error) { return p.file.Seek(off, whence) }

// Close releases the file.
func (p *pinnedFile) Close() error { return p.file.Close() }

// plain drops the operation and path that the caller already names.
func plain(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}
