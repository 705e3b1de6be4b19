package gcsstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"cloud.google.com/go/storage"
	"google.golang.org/api/googleapi"
	"google.golang.org/api/iterator"
	"google.golang.org/api/option"

	"gpuledger/internal/blob"
	"gpuledger/internal/period"
)

// Scheme of the URIs that the store reads.
const Scheme = "gs"

// Options tune a Store. The zero value uses application default credentials,
// or the server that STORAGE_EMULATOR_HOST names.
type Options struct {
	Endpoint  string // base of the JSON API of another server, such as http://host/storage/v1/
	Anonymous bool   // no credentials, for public buckets
	// Client replaces the HTTP client and its credentials, for tests.
	Client *http.Client
}

// Store reads buckets. It is safe for concurrent use.
type Store struct {
	options Options

	mu     sync.Mutex
	client *storage.Client
}

// New returns a store; it connects when it is first used.
func New(o Options) *Store { return &Store{options: o} }

func (s *Store) connect(ctx context.Context) (*storage.Client, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client != nil {
		return s.client, nil
	}
	options := []option.ClientOption{option.WithScopes(storage.ScopeReadOnly)}
	if s.options.Endpoint != "" {
		options = append(options, option.WithEndpoint(s.options.Endpoint))
	}
	switch {
	case s.options.Client != nil:
		options = append(options, option.WithHTTPClient(s.options.Client))
	case s.options.Anonymous:
		options = append(options, option.WithoutAuthentication())
	}
	// The client outlives the listing that it was made for.
	client, err := storage.NewClient(context.WithoutCancel(ctx), options...)
	if err != nil {
		return nil, fmt.Errorf("no Google credentials: set GOOGLE_APPLICATION_CREDENTIALS, run `gcloud auth application-default login`, or give this machine a service account: %w", err)
	}
	s.client = client
	return client, nil
}

// List implements blob.Store. Objects whose name begins with a dot and folder
// markers are left out.
func (s *Store) List(ctx context.Context, uri string) ([]blob.Object, error) {
	bucket, prefix, _ := strings.Cut(strings.TrimPrefix(uri, Scheme+"://"), "/")
	if bucket == "" {
		return nil, errors.New("no bucket: write gs://bucket/prefix")
	}
	client, err := s.connect(ctx)
	if err != nil {
		return nil, err
	}
	q := &storage.Query{Prefix: prefix, Projection: storage.ProjectionNoACL}
	if err := q.SetAttrSelection([]string{"Name", "Size", "Generation", "Updated"}); err != nil {
		return nil, err
	}
	var objects []blob.Object
	for it := client.Bucket(bucket).Objects(ctx, q); ; {
		a, err := it.Next()
		if errors.Is(err, iterator.Done) {
			break
		}
		if isDenied(err) && prefix != "" && !strings.HasSuffix(prefix, "/") {
			// Whoever may read objects only can still name one.
			if one, aerr := client.Bucket(bucket).Object(prefix).Attrs(ctx); aerr == nil {
				a, err, objects = one, nil, nil
				if name, ok := blob.Below(prefix, a.Name); ok {
					return []blob.Object{object(client, bucket, name, a)}, nil
				}
			}
		}
		if err != nil {
			return nil, explain(err, bucket, "", "storage.objects.list")
		}
		name, ok := blob.Below(prefix, a.Name)
		if !ok {
			continue
		}
		objects = append(objects, object(client, bucket, name, a))
		if len(objects) > blob.MaxListed {
			return nil, fmt.Errorf("more than %d objects: name a prefix below it", blob.MaxListed)
		}
	}
	if len(objects) == 0 {
		return nil, fmt.Errorf("no object in bucket %s has this name or lies below it", bucket)
	}
	return objects, nil
}

func object(client *storage.Client, bucket, name string, a *storage.ObjectAttrs) blob.Object {
	return blob.Object{Name: name, Address: Scheme + "://" + bucket + "/" + a.Name, Size: a.Size, Modified: period.FromTime(a.Updated),
		Version: strconv.FormatInt(a.Generation, 10),
		Content: &content{bucket: bucket, name: a.Name, handle: client.Bucket(bucket).Object(a.Name).Generation(a.Generation).ReadCompressed(true)}}
}

// content reads one generation of one object.
type content struct {
	bucket, name string
	handle       *storage.ObjectHandle
}

// Range implements blob.Ranger.
func (c *content) Range(ctx context.Context, from, to int64) (io.ReadCloser, error) {
	r, err := c.handle.NewRangeReader(ctx, from, to-from)
	if err != nil {
		return nil, explain(err, c.bucket, c.name, "storage.objects.get")
	}
	return r, nil
}

func isDenied(err error) bool {
	api := (*googleapi.Error)(nil)
	return errors.As(err, &api) && api.Code == http.StatusForbidden
}

// explain says what an error of the service means for the user.
func explain(err error, bucket, name, permission string) error {
	address := Scheme + "://" + bucket
	if name != "" {
		address += "/" + name
	}
	api := (*googleapi.Error)(nil)
	_ = errors.As(err, &api) // nil when it is none
	switch {
	case errors.Is(err, storage.ErrObjectNotExist), api != nil && name != "" && (api.Code == http.StatusNotFound || api.Code == http.StatusPreconditionFailed || api.Code == http.StatusRequestedRangeNotSatisfiable):
		return fmt.Errorf("%s: %w", address, blob.ErrChanged)
	case errors.Is(err, storage.ErrBucketNotExist), api != nil && api.Code == http.StatusNotFound:
		return fmt.Errorf("%s: there is no such bucket: check its name", address)
	case api != nil && api.Code == http.StatusUnauthorized:
		return fmt.Errorf("%s: the Google credentials are refused: log in again or check GOOGLE_APPLICATION_CREDENTIALS (%s)", address, api.Message)
	case isDenied(err):
		return &blob.DeniedError{Address: address, Needs: permission + " on bucket " + bucket, Err: errors.New(api.Message),
			Advice: "grant the role Storage Object Viewer (roles/storage.objectViewer) on the bucket to the account that gpuledger runs as"}
	}
	return fmt.Errorf("%s: %w", address, err)
}
