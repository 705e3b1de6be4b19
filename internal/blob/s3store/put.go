package s3store

import (
	"context"
	"io"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

// Put implements blob.Writer. An object that is replaced is readable until the new one is complete.
func (s *Store) Put(ctx context.Context, uri string, content io.ReadSeeker, size int64) error {
	return s.change(ctx, uri, "s3:PutObject", func(c *s3.Client, bucket, key string) error {
		if _, err := content.Seek(0, io.SeekStart); err != nil {
			return err
		}
		_, err := c.PutObject(ctx, &s3.PutObjectInput{
			Bucket: &bucket, Key: &key, Body: content, ContentLength: aws.Int64(size),
		})
		return err
	})
}

// Remove implements blob.Writer. S3 does not tell whether the object existed.
func (s *Store) Remove(ctx context.Context, uri string) error {
	return s.change(ctx, uri, "s3:DeleteObject", func(c *s3.Client, bucket, key string) error {
		_, err := c.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &bucket, Key: &key})
		return err
	})
}

// change sends a request about one object, again if the bucket turns out to be in another region.
func (s *Store) change(
	ctx context.Context, uri, action string, send func(c *s3.Client, bucket, key string) error,
) error {
	bucket, key, err := split(uri)
	if err != nil {
		return err
	}
	try := func() error {
		client, err := s.client(ctx, bucket)
		if err != nil {
			return err
		}
		return send(client, bucket, key)
	}
	err = try()
	if region := elsewhere(err); region != "" {
		s.mu.Lock()
		s.regions[bucket] = region
		s.mu.Unlock()
		err = try()
	}
	if err != nil {
		return explain(err, bucket, key, action)
	}
	return nil
}
