package gcsstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"gpuledger/internal/blob"
	"gpuledger/internal/blob/googleapi"
	"gpuledger/internal/period"
)

// Scheme of the URIs that the store reads.
const Scheme = "gs"

// Options tune a Store. The zero value uses application default credentials, or the server in STORAGE_EMULATOR_HOST.
type Options struct {
	Endpoint  string // base of the JSON API of another server, such as http://host/storage/v1/
	Anonymous bool   // no credentials, for public buckets
	Writes    bool   // the tokens also allow writing
	// Client replaces the HTTP client and its credentials, for tests.
	Client *http.Client
}

// Store reads buckets. It is safe for concurrent use.
type Store struct{ api *googleapi.Client }

const apiPath = "/storage/v1/"

// New returns a store; it connects on first use.
func New(o Options) *Store {
	if host := os.Getenv("STORAGE_EMULATOR_HOST"); host != "" && o.Endpoint == "" {
		if !strings.Contains(host, "://") {
			host = "http://" + host
		}
		o.Endpoint, o.Anonymous = strings.TrimSuffix(host, "/")+apiPath, true
	}
	scope := "https://www.googleapis.com/auth/devstorage.read_only"
	if o.Writes {
		scope = "https://www.googleapis.com/auth/devstorage.read_write"
	}
	return &Store{googleapi.New(googleapi.Options{Service: "storage", Path: apiPath, Scope: scope,
		Endpoint: o.Endpoint, Anonymous: o.Anonymous, Client: o.Client})}
}

// resource is the fields read of an object (https://cloud.google.com/storage/docs/json_api/v1/objects).
type resource struct {
	Name       string    `json:"name"`
	Size       int64     `json:"size,string"`
	Generation string    `json:"generation"`
	Updated    time.Time `json:"updated"`
}

const resourceFields = "name,size,generation,updated"

func objectPath(bucket, name string) string {
	return "/b/" + url.PathEscape(bucket) + "/o/" + url.PathEscape(name)
}

// List implements blob.Store. Objects whose name begins with a dot and folder
// markers are left out.
func (s *Store) List(ctx context.Context, uri string) ([]blob.Object, error) {
	bucket, prefix, err := split(uri)
	if err != nil {
		return nil, err
	}
	query := url.Values{
		"prefix": {prefix}, "projection": {"noAcl"}, "fields": {"nextPageToken,items(" + resourceFields + ")"},
	}
	var objects []blob.Object
	for more := true; more; {
		var page struct {
			Items         []resource `json:"items"`
			NextPageToken string     `json:"nextPageToken"`
		}
		err := s.api.JSON(ctx, http.MethodGet, "/b/"+url.PathEscape(bucket)+"/o", query, nil, &page)
		if googleapi.Code(err) == http.StatusForbidden && prefix != "" && !strings.HasSuffix(prefix, "/") {
			// An account that may only read objects can still name one.
			var one resource
			if s.api.JSON(ctx, http.MethodGet, objectPath(bucket, prefix), url.Values{"fields": {resourceFields}}, nil,
				&one) == nil {
				page.Items, err = []resource{one}, nil
			}
		}
		if err != nil {
			return nil, explain(err, bucket, "", "storage.objects.list")
		}
		for _, r := range page.Items {
			if name, ok := blob.Below(prefix, r.Name); ok {
				objects = append(objects, s.object(bucket, name, r))
			}
		}
		if len(objects) > blob.MaxListed {
			return nil, fmt.Errorf("more than %d objects: name a prefix below it", blob.MaxListed)
		}
		query.Set("pageToken", page.NextPageToken)
		more = page.NextPageToken != ""
	}
	if len(objects) == 0 {
		return nil, fmt.Errorf("bucket %s: %w", bucket, blob.ErrNothing)
	}
	return objects, nil
}

func (s *Store) object(bucket, name string, r resource) blob.Object {
	return blob.Object{Name: name, Address: Scheme + "://" + bucket + "/" + r.Name, Size: r.Size,
		Modified: period.FromTime(r.Updated),
		Version:  r.Generation, Content: &content{api: s.api, bucket: bucket, name: r.Name, generation: r.Generation}}
}

// content reads one generation of one object.
type content struct {
	api                      *googleapi.Client
	bucket, name, generation string
}

// Range implements blob.Ranger.
func (c *content) Range(ctx context.Context, from, to int64) (io.ReadCloser, error) {
	r, err := c.api.Open(ctx, objectPath(c.bucket, c.name), url.Values{"alt": {"media"}, "generation": {c.generation}},
		from, to)
	if err != nil {
		return nil, explain(err, c.bucket, c.name, "storage.objects.get")
	}
	return r, nil
}

// explain turns an error of the service into advice for the user.
func explain(err error, bucket, name, permission string) error {
	address := Scheme + "://" + bucket
	if name != "" {
		address += "/" + name
	}
	api := (*googleapi.Error)(nil)
	if !errors.As(err, &api) {
		return fmt.Errorf("%s: %w", address, err)
	}
	switch code := api.Code; {
	case name != "" && (code == http.StatusNotFound || code == http.StatusPreconditionFailed ||
		code == http.StatusRequestedRangeNotSatisfiable):
		return fmt.Errorf("%s: %w", address, blob.ErrChanged)
	case code == http.StatusNotFound:
		return fmt.Errorf("%s: there is no such bucket: check its name", address)
	case code == http.StatusUnauthorized:
		return fmt.Errorf("%s: the Google credentials are refused: log in again or check GOOGLE_APPLICATION_CREDENTIALS (%s)",
			address, api.Message)
	case code == http.StatusForbidden:
		role := "Storage Object Viewer (roles/storage.objectViewer)"
		if !strings.HasSuffix(permission, ".list") && !strings.HasSuffix(permission, ".get") {
			role = "Storage Object User (roles/storage.objectUser)"
		}
		return &blob.DeniedError{Address: address, Needs: permission + " on bucket " + bucket, Err: errors.New(api.Message),
			Advice: "grant the role " + role + " on the bucket to the account that gpuledger runs as"}
	}
	return fmt.Errorf("%s: %w", address, err)
}
