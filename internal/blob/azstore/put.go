package azstore

import (
	"context"
	"io"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/streaming"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/bloberror"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
)

// writing is the permission that changes need.
const writing = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs/write"

// Put implements blob.Writer. A blob that is replaced is readable until the new one is complete.
func (s *Store) Put(ctx context.Context, uri string, content io.ReadSeeker, _ int64) error {
	return s.change(uri, writing, func(c *container.Client, name string) error {
		if _, err := content.Seek(0, io.SeekStart); err != nil {
			return err
		}
		_, err := c.NewBlockBlobClient(name).Upload(ctx, streaming.NopCloser(content), nil)
		return err
	})
}

// Remove implements blob.Writer.
func (s *Store) Remove(ctx context.Context, uri string) error {
	return s.change(uri, deleting, func(c *container.Client, name string) error {
		_, err := c.NewBlobClient(name).Delete(ctx, nil)
		if bloberror.HasCode(err, bloberror.BlobNotFound) {
			return nil
		}
		return err
	})
}

const deleting = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs/delete"

// change sends a request about one blob.
func (s *Store) change(uri, permission string, send func(c *container.Client, name string) error) error {
	p, err := s.parse(uri)
	if err != nil {
		return err
	}
	client, err := s.client(p)
	if err == nil {
		err = send(client, p.prefix)
	}
	if bloberror.HasCode(err, bloberror.ContainerNotFound) {
		return p.explain(err, "", permission) // not the blob is missing
	}
	if err != nil {
		return p.explain(err, p.prefix, permission)
	}
	return nil
}
