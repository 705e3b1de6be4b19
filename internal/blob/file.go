package blob

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// File is one discovered file.
type File struct {
	// Name is the path below the URI with forward slashes; the base name when
	// the URI is the file itself.
	Name string
	// Path is where it lies.
	Path string
	// Size is the number of stored bytes.
	Size int64
}

// Base is the last element of the name.
func (f File) Base() string { return path.Base(f.Name) }

// Folder is the directory that holds the file; files of one folder share it.
func (f File) Folder() string { return filepath.Dir(f.Path) }

// List finds the files of a URI: the file itself, or all regular files below a
// directory in the order of their names. Symbolic links below a directory are
// not followed. Hidden files and folders (a leading dot) are left out.
func List(ctx context.Context, uri string) ([]File, error) {
	root, err := localPath(uri)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(root)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", uri, plain(err))
	}
	if !info.IsDir() {
		if !info.Mode().IsRegular() {
			return nil, fmt.Errorf("open %s: not a regular file", uri)
		}
		return []File{{Name: filepath.Base(root), Path: root, Size: info.Size()}}, nil
	}
	var files []File
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if p != root && strings.HasPrefix(d.Name(), ".") {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		files = append(files, File{Name: filepath.ToSlash(rel), Path: p, Size: info.Size()})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", uri, err)
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return files, nil
}

func localPath(uri string) (string, error) {
	switch scheme, rest, found := strings.Cut(uri, "://"); {
	case !found:
		return filepath.Clean(uri), nil
	case scheme == "file":
		return filepath.Clean(rest), nil
	default:
		return "", fmt.Errorf("open %s: unknown scheme %q; name a local file or directory", uri, scheme)
	}
}

// plain drops the operation and path that the caller names already.
func plain(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}
