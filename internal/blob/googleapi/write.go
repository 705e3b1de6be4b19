package googleapi

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// sized is a body whose length is known before it is read.
type sized struct {
	io.ReadSeeker
	size int64
}

// Len tells retryablehttp the length.
func (s sized) Len() int { return int(s.size) }

// Upload sends the content of a new object to the upload address of the service. The object appears when all of it has
// arrived.
func (c *Client) Upload(ctx context.Context, path string, query url.Values, content io.ReadSeeker, size int64) error {
	header := http.Header{"Content-Type": {"application/octet-stream"}}
	answer, err := c.sendTo(ctx, uploads, http.MethodPost, path, query, header, sized{content, size})
	if err != nil {
		return err
	}
	return answer.Body.Close()
}

// Delete removes a resource.
func (c *Client) Delete(ctx context.Context, path string) error {
	answer, err := c.send(ctx, http.MethodDelete, path, nil, http.Header{}, nil)
	if err != nil {
		return err
	}
	return answer.Body.Close()
}

// uploads is the address for uploads of an API whose address is base: /upload stands before the path of the API.
func uploads(base, path string) string {
	path = strings.TrimSuffix(path, "/")
	return strings.TrimSuffix(base, path) + "/upload" + path
}
