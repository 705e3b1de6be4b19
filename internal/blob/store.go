package blob

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"gpuledger/internal/period"
)

// MaxListed is the most files that one URI may name.
const MaxListed = 1_000_000

// ErrChanged means that a file is no longer as its listing showed it.
var ErrChanged = errors.New("the file was changed or removed while it was read: the file was not imported; import it " +
	"again")

// DeniedError means that a store refused access; it names the missing permission.
type DeniedError struct {
	Address string // the address of the request, such as s3://bucket/key
	Needs   string // the permission that is missing, in the store's own words
	Advice  string // what to do; may be empty
	Err     error  // the store's answer
}

// Error names the address, the permission and what to do.
func (e *DeniedError) Error() string {
	text := fmt.Sprintf("%s: access denied: it needs %s", e.Address, e.Needs)
	if e.Advice != "" {
		text += "; " + e.Advice
	}
	return fmt.Sprintf("%s (%v)", text, e.Err)
}

// Unwrap returns the store's answer.
func (e *DeniedError) Unwrap() error { return e.Err }

// Store lists the objects of one kind of remote store.
type Store interface {
	// List returns the objects that uri names: the object itself, or those below it if it names a folder. An object
	// that does not exist is an error. ctx ends the listing and the reads of its files.
	List(ctx context.Context, uri string) ([]Object, error)
}

// Object is one object of a store as its listing showed it.
type Object struct {
	Name     string // below the URI, with forward slashes
	Address  string // its own URI
	Size     int64  // stored bytes; UnknownSize if only reading shows it
	Modified period.Second
	Version  string // ETag or generation
	Content  Ranger
}

// UnknownSize is the size of an object that can only be read from its start.
const UnknownSize = -1

// Ranger reads one version of one object. An error wraps ErrChanged if the object no longer has that version. It is
// safe for concurrent use.
type Ranger interface {
	// Range opens the stored bytes [from, to). For an object of UnknownSize it is only called with [0, UnknownSize).
	// The caller closes the body. It may end early when a connection breaks: the rest is then requested again.
	Range(ctx context.Context, from, to int64) (io.ReadCloser, error)
}

// Stores are the remote stores by URI scheme.
type Stores map[string]Store

// List finds the files of a URI: the file itself, or all files below a directory or prefix in the order of their names.
// Hidden files and folders (a leading dot) and directories behind symbolic links are left out. A zip archive (by its
// name) is replaced by its entries; with a single entry, the archive is that entry.
func (s Stores) List(ctx context.Context, uri string) ([]File, error) {
	files, err := s.list(ctx, uri)
	if err != nil {
		return nil, err
	}
	if files, err = expandArchives(ctx, files); err != nil {
		return nil, fmt.Errorf("list %s: %w", Redact(uri), err)
	}
	if len(files) > MaxListed {
		return nil, fmt.Errorf("list %s: more than %d files: name a folder below it", Redact(uri), MaxListed)
	}
	slices.SortFunc(files, func(a, b File) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Path, b.Path))
	})
	return files, nil
}

func (s Stores) list(ctx context.Context, uri string) ([]File, error) {
	scheme, rest, found := strings.Cut(uri, "://")
	switch {
	case !found:
		return listLocal(ctx, uri, uri)
	case scheme == "file":
		return listLocal(ctx, uri, rest)
	}
	store, ok := s[scheme]
	if !ok {
		known := slices.Sorted(maps.Keys(s))
		for i := range known {
			known[i] += "://"
		}
		return nil, fmt.Errorf("open %s: unknown scheme %q; known are %s", Redact(uri), scheme,
			strings.Join(append([]string{"local paths", "file://"}, known...), ", "))
	}
	objects, err := store.List(ctx, uri)
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", Redact(uri), err)
	}
	files := make([]File, len(objects))
	for i, o := range objects {
		files[i] = File{Name: o.Name, Path: o.Address, Size: max(0, o.Size), Modified: o.Modified, Version: o.Version,
			src: &remoteFile{ctx: ctx, object: o}}
	}
	return files, nil
}

// Below is the name of a listed object below prefix, the part of a URI after its bucket. ok is false for objects that
// List leaves out: hidden ones, folder markers, and keys that merely begin with the same letters.
func Below(prefix, key string) (name string, ok bool) {
	switch {
	case key == prefix && key != "" && !strings.HasSuffix(key, "/"):
		return key[strings.LastIndex(key, "/")+1:], true
	case prefix == "" || strings.HasSuffix(prefix, "/"):
		name, ok = strings.CutPrefix(key, prefix)
	default:
		name, ok = strings.CutPrefix(key, prefix+"/")
	}
	if !ok || name == "" || strings.HasSuffix(name, "/") {
		return "", false
	}
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") {
			return "", false
		}
	}
	return name, true
}

// Redact returns a URI that may be shown and stored: without its query, which may contain a signature, and without a
// user and password.
func Redact(uri string) string {
	scheme, rest, found := strings.Cut(uri, "://")
	if !found || scheme != "http" && scheme != "https" && scheme != "az" {
		return uri // in other schemes a question mark is part of a name
	}
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		rest = rest[:i] + "?…"
	}
	host, path, slash := strings.Cut(rest, "/")
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	if slash {
		host += "/" + path
	}
	return scheme + "://" + host
}
