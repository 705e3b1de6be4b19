package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"
)

// ErrNothing means that a store has no object of this name, nor any below it.
var ErrNothing = errors.New("no object has this name or is below it")

// Writer is a Store that also writes.
type Writer interface {
	Store
	// Put stores an object of so many bytes: whole, in the place of an earlier one, or not at all.
	Put(ctx context.Context, uri string, content io.ReadSeeker, size int64) error
	// Remove deletes an object. One that is gone already is no error.
	Remove(ctx context.Context, uri string) error
}

// Entry is a file in a Folder.
type Entry struct {
	Name string // below the folder, with forward slashes
	Size int64
}

// Folder is a place below which files are written. Names have forward slashes.
type Folder interface {
	// List lists the files, without hidden ones, in the order of their names. A folder that does not exist has none.
	List(ctx context.Context) ([]Entry, error)
	// Read returns a file of at most so many bytes; an error wraps fs.ErrNotExist if there is none.
	Read(ctx context.Context, name string, most int64) ([]byte, error)
	// Put stores a file: whole, in the place of an earlier one, or not at all.
	Put(ctx context.Context, name string, content io.ReadSeeker, size int64) error
	// Remove deletes a file. One that is gone already is no error.
	Remove(ctx context.Context, name string) error
	// Clear deletes what writes of a killed process left. No one else may be writing.
	Clear(ctx context.Context) error
	// Sub is a folder below this one.
	Sub(name string) Folder
	// Place is its address, without secrets.
	Place() string
}

// Folder returns the folder that a URI names. It is not looked at before its first use.
func (s Stores) Folder(uri string) (Folder, error) {
	scheme, rest, found := strings.Cut(uri, "://")
	switch {
	case uri == "" || found && rest == "":
		return nil, errors.New("no folder is named: write a local path or a URI such as s3://bucket/folder")
	case !found:
		return localFolder(uri), nil
	case scheme == "file":
		return localFolder(rest), nil
	}
	if w, ok := s[scheme].(Writer); ok {
		return &remoteFolder{store: w, uri: uri}, nil
	}
	known := []string{"local paths", "file://"}
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if _, ok := s[name].(Writer); ok {
			known = append(known, name+"://")
		}
	}
	return nil, fmt.Errorf("nothing can be written to %s: known are %s", Redact(uri), strings.Join(known, ", "))
}

// Join is the URI of a name below a URI. A query, such as the signature of an az:// URI, stays at the end.
func Join(uri, name string) string {
	query := ""
	if strings.HasPrefix(uri, "az://") {
		if i := strings.IndexByte(uri, '?'); i >= 0 {
			uri, query = uri[:i], uri[i:]
		}
		name = (&url.URL{Path: name}).EscapedPath()
	}
	return strings.TrimRight(uri, "/") + "/" + name + query
}

// remoteFolder is a folder in a store of objects.
type remoteFolder struct {
	store Writer
	uri   string
}

// List implements Folder.
func (f *remoteFolder) List(ctx context.Context) ([]Entry, error) {
	objects, err := f.store.List(ctx, Join(f.uri, "")) // with a slash: of this folder alone
	if errors.Is(err, ErrNothing) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	list := make([]Entry, len(objects))
	for i, o := range objects {
		list[i] = Entry{o.Name, o.Size}
	}
	slices.SortFunc(list, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// Read implements Folder.
func (f *remoteFolder) Read(ctx context.Context, name string, most int64) ([]byte, error) {
	uri := Join(f.uri, name)
	objects, err := f.store.List(ctx, uri)
	if err != nil && !errors.Is(err, ErrNothing) {
		return nil, err
	}
	i := slices.IndexFunc(objects, func(o Object) bool { return o.Name == path.Base(name) })
	switch {
	case i < 0:
		return nil, fmt.Errorf("%s: %w", Redact(uri), fs.ErrNotExist)
	case objects[i].Size > most:
		return nil, tooLarge(Redact(uri), most)
	}
	in, err := (&remoteFile{ctx: ctx, object: objects[i]}).open()
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(in)
	return text, errors.Join(err, in.Close())
}

func tooLarge(place string, most int64) error {
	return fmt.Errorf("%s has more than %d bytes: it is not a file of gpuledger", place, most)
}

// Put implements Folder.
func (f *remoteFolder) Put(ctx context.Context, name string, content io.ReadSeeker, size int64) error {
	return f.store.Put(ctx, Join(f.uri, name), content, size)
}

// Remove implements Folder.
func (f *remoteFolder) Remove(ctx context.Context, name string) error {
	return f.store.Remove(ctx, Join(f.uri, name))
}

// Clear implements Folder: an object that was not written whole does not exist.
func (f *remoteFolder) Clear(context.Context) error { return nil }

// Sub implements Folder.
func (f *remoteFolder) Sub(name string) Folder { return &remoteFolder{f.store, Join(f.uri, name)} }

// Place implements Folder.
func (f *remoteFolder) Place() string { return Redact(f.uri) }
