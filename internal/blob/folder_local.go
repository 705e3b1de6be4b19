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
)

// unfinished begins the name of a file that is being written.
const unfinished = ".gpuledger-unfinished-"

// localFolder is a directory. It and the directories of files are created when they are needed.
type localFolder string

func (f localFolder) at(name string) string {
	return filepath.Join(string(f), filepath.FromSlash(name))
}

// List implements Folder.
func (f localFolder) List(ctx context.Context) ([]Entry, error) {
	var list []Entry
	err := filepath.WalkDir(string(f), func(at string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && at == string(f) && errors.Is(err, fs.ErrNotExist):
			return fs.SkipAll
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		}
		info, err := d.Info()
		switch {
		case errors.Is(err, fs.ErrNotExist): // another process finished it, or cleared it away
			return nil
		case err != nil:
			return err
		case at != string(f) && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case !d.Type().IsRegular():
			return nil
		}
		name, err := filepath.Rel(string(f), at)
		list = append(list, Entry{filepath.ToSlash(name), info.Size()})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", f, plain(err))
	}
	return list, nil // in the order of a walk
}

// Read implements Folder.
func (f localFolder) Read(_ context.Context, name string, most int64) ([]byte, error) {
	file, err := os.Open(f.at(name))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.at(name), plain(err))
	}
	defer file.Close() //nolint:errcheck // only read
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(text)) > most {
		err = tooLarge(f.at(name), most)
	}
	return text, err
}

// Clear implements Folder.
func (f localFolder) Clear(context.Context) error {
	left, err := filepath.Glob(f.at(unfinished + "*"))
	for _, name := range left {
		err = errors.Join(err, os.Remove(name))
	}
	return err
}

// Put implements Folder. The file is on the disk before it has its name.
func (f localFolder) Put(ctx context.Context, name string, content io.ReadSeeker, _ int64) (err error) {
	at := f.at(name)
	defer func() {
		if err != nil {
			err = fmt.Errorf("write %s: %w", at, plain(err))
		}
	}()
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return err
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return err
	}
	file, err := os.CreateTemp(string(f), unfinished+"*")
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	err = errors.Join(err, ctx.Err())
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Chmod(0o644), file.Close()); err == nil {
		err = os.Rename(file.Name(), at)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return syncDir(filepath.Dir(at))
}

// syncDir makes a renamed file survive a power failure.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Remove implements Folder. Directories below the folder that become empty go as well.
func (f localFolder) Remove(_ context.Context, name string) error {
	at := f.at(name)
	if err := os.Remove(at); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("delete %s: %w", at, plain(err))
	}
	for dir := filepath.Dir(at); len(dir) > len(filepath.Clean(string(f))); dir = filepath.Dir(dir) {
		if os.Remove(dir) != nil { // it has other files
			break
		}
	}
	return nil
}

// Sub implements Folder.
func (f localFolder) Sub(name string) Folder { return localFolder(f.at(name)) }

// Place implements Folder.
func (f localFolder) Place() string { return Place(string(f)) }
