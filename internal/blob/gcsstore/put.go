package gcsstore

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"gpuledger/internal/blob/googleapi"
)

// Put implements blob.Writer. An object that is replaced is readable until the new one is complete.
func (s *Store) Put(ctx context.Context, uri string, content io.ReadSeeker, size int64) error {
	bucket, name, err := split(uri)
	if err != nil {
		return err
	}
	query := url.Values{"uploadType": {"media"}, "name": {name}, "fields": {"name"}}
	if err := s.api.Upload(ctx, "/b/"+url.PathEscape(bucket)+"/o", query, content, size); err != nil {
		if googleapi.Code(err) == http.StatusNotFound {
			name = "" // the bucket is missing: a new object cannot be
		}
		return explain(err, bucket, name, "storage.objects.create (and storage.objects.delete, to replace files)")
	}
	return nil
}

// Remove implements blob.Writer.
func (s *Store) Remove(ctx context.Context, uri string) error {
	bucket, name, err := split(uri)
	if err != nil {
		return err
	}
	err = s.api.Delete(ctx, objectPath(bucket, name))
	if err == nil || googleapi.Code(err) == http.StatusNotFound {
		return nil
	}
	return explain(err, bucket, name, "storage.objects.delete")
}

func split(uri string) (bucket, name string, err error) {
	bucket, name, _ = strings.Cut(strings.TrimPrefix(uri, Scheme+"://"), "/")
	if bucket == "" {
		return "", "", errors.New("no bucket: write gs://bucket/prefix")
	}
	return bucket, name, nil
}
