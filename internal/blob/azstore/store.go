package azstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	azblob "github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/bloberror"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"

	"gpuledger/internal/blob"
	"gpuledger/internal/period"
)

// Scheme of the URIs that the store reads, in addition to the https ones that Serves recognises.
const Scheme = "az"

// hosts are the domains of Blob Storage in the public and national clouds.
var hosts = []string{".blob.core.windows.net", ".blob.core.usgovcloudapi.net", ".blob.core.chinacloudapi.cn"}

// Serves reports whether an https URI names Blob Storage.
func Serves(uri string) bool {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "https" {
		return false
	}
	for _, h := range hosts {
		if strings.HasSuffix(u.Hostname(), h) {
			return true
		}
	}
	return false
}

// Options tune a Store. The zero value reads its credentials from the
// environment.
type Options struct {
	// Endpoint is the address of the account's blobs, such as
	// http://127.0.0.1:10000/devstoreaccount1; empty: the public cloud's.
	Endpoint  string
	Anonymous bool // no credentials, for public containers

	// Transport replaces the HTTP transport, for tests.
	Transport policy.Transporter
	PageSize  int32 // most blobs of one answer; 0 = the server's
}

// Store reads containers. It is safe for concurrent use.
type Store struct {
	options Options

	mu       sync.Mutex
	identity azcore.TokenCredential
}

// New returns a store; it connects on first use.
func New(o Options) *Store { return &Store{options: o} }

// place is the location that a URI names.
type place struct {
	account, container, prefix string
	endpoint                   string // of the account
	sas                        string // query of the URI
}

// shown is the address of a blob in messages.
func (p place) shown(name string) string {
	s := Scheme + "://" + p.account + "/" + p.container
	if name != "" {
		s += "/" + name
	}
	return s
}

func (s *Store) parse(uri string) (place, error) {
	u, err := url.Parse(uri)
	if err != nil {
		return place{}, errors.New("not a URI") // the parser's error would show the signature
	}
	p := place{account: u.Host, sas: u.RawQuery}
	rest := strings.TrimPrefix(u.Path, "/")
	p.container, p.prefix, _ = strings.Cut(rest, "/")
	if u.Scheme == Scheme {
		p.endpoint = "https://" + p.account + hosts[0]
	} else {
		p.endpoint = "https://" + u.Host
		p.account, _, _ = strings.Cut(u.Host, ".")
	}
	if s.options.Endpoint != "" {
		p.endpoint = strings.TrimRight(s.options.Endpoint, "/")
	}
	if p.account == "" || p.container == "" {
		return p, errors.New("write az://account/container/prefix")
	}
	return p, nil
}

// client makes a client for a container with the first credential available.
func (s *Store) client(p place) (*container.Client, error) {
	options := &container.ClientOptions{
		ClientOptions: policy.ClientOptions{
			Transport: s.options.Transport, Telemetry: policy.TelemetryOptions{ApplicationID: "gpuledger"},
		},
	}
	address := p.endpoint + "/" + url.PathEscape(p.container)
	sas := p.sas
	if sas == "" {
		sas = strings.TrimPrefix(os.Getenv("AZURE_STORAGE_SAS_TOKEN"), "?")
	}
	switch text, key := os.Getenv("AZURE_STORAGE_CONNECTION_STRING"), os.Getenv("AZURE_STORAGE_KEY"); {
	case p.sas == "" && s.options.Anonymous:
		return container.NewClientWithNoCredential(address, options)
	case p.sas == "" && text != "" && accountOf(text) == p.account:
		return container.NewClientFromConnectionString(text, p.container, options)
	case sas != "":
		return container.NewClientWithNoCredential(address+"?"+sas, options)
	case key != "":
		shared, err := container.NewSharedKeyCredential(p.account, key)
		if err != nil {
			return nil, fmt.Errorf("AZURE_STORAGE_KEY: %w", err)
		}
		return container.NewClientWithSharedKeyCredential(address, shared, options)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.identity == nil {
		identity, err := azidentity.NewDefaultAzureCredential(nil)
		if err != nil {
			return nil, fmt.Errorf("no Azure credentials: %w", err)
		}
		s.identity = identity
	}
	return container.NewClient(address, s.identity, options)
}

// accountOf returns the account that a connection string is for.
func accountOf(text string) string {
	for part := range strings.SplitSeq(text, ";") {
		if name, value, ok := strings.Cut(part, "="); ok && strings.EqualFold(strings.TrimSpace(name), "AccountName") {
			return value
		}
	}
	return ""
}

// List implements blob.Store. Blobs whose name begins with a dot and folder
// markers are left out.
func (s *Store) List(ctx context.Context, uri string) ([]blob.Object, error) {
	p, err := s.parse(uri)
	if err != nil {
		return nil, err
	}
	client, err := s.client(p)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.shown(""), err)
	}
	in := &container.ListBlobsFlatOptions{Prefix: &p.prefix, Include: container.ListBlobsInclude{Metadata: true}}
	if s.options.PageSize > 0 {
		in.MaxResults = &s.options.PageSize
	}
	var objects []blob.Object
	for pages := client.NewListBlobsFlatPager(in); pages.More(); {
		page, err := pages.NextPage(ctx)
		if err != nil && isDenied(err) && p.prefix != "" && !strings.HasSuffix(p.prefix, "/") {
			// A signature for one blob cannot list.
			if one, perr := p.single(ctx, client); perr == nil {
				return []blob.Object{one}, nil
			}
		}
		if err != nil {
			return nil, p.explain(err, "",
				"Microsoft.Storage/storageAccounts/blobServices/containers/blobs/read (or a SAS with list permission)")
		}
		for _, item := range page.Segment.BlobItems {
			if item.Name == nil || item.Properties == nil || item.Properties.ContentLength == nil ||
				item.Properties.ETag == nil || isFolder(item.Metadata) {
				continue
			}
			name, ok := blob.Below(p.prefix, *item.Name)
			if !ok {
				continue
			}
			o := p.object(client, *item.Name, name, *item.Properties.ContentLength, *item.Properties.ETag)
			if at := item.Properties.LastModified; at != nil {
				o.Modified = period.FromTime(*at)
			}
			objects = append(objects, o)
		}
		if len(objects) > blob.MaxListed {
			return nil, fmt.Errorf("more than %d blobs: name a prefix below it", blob.MaxListed)
		}
	}
	if len(objects) == 0 {
		return nil, fmt.Errorf("container %s: %w", p.container, blob.ErrNothing)
	}
	return objects, nil
}

// isFolder recognises the markers of hierarchical namespaces.
func isFolder(metadata map[string]*string) bool {
	for k, v := range metadata {
		if strings.EqualFold(k, "hdi_isfolder") && v != nil && strings.EqualFold(*v, "true") {
			return true
		}
	}
	return false
}

// single is the blob that the URI names itself.
func (p place) single(ctx context.Context, client *container.Client) (blob.Object, error) {
	h, err := client.NewBlobClient(p.prefix).GetProperties(ctx, nil)
	if err != nil {
		return blob.Object{}, err
	}
	name, ok := blob.Below(p.prefix, p.prefix)
	if !ok || h.ContentLength == nil || h.ETag == nil {
		return blob.Object{}, errors.New("no blob")
	}
	o := p.object(client, p.prefix, name, *h.ContentLength, *h.ETag)
	if h.LastModified != nil {
		o.Modified = period.FromTime(*h.LastModified)
	}
	return o, nil
}

func (p place) object(client *container.Client, key, name string, size int64, etag azcore.ETag) blob.Object {
	return blob.Object{Name: name, Address: p.shown(key), Size: size, Version: strings.Trim(string(etag), `"`),
		Content: &content{place: p, name: key, etag: etag, client: client.NewBlobClient(key)}}
}

// content reads one version of one blob.
type content struct {
	place  place
	name   string
	etag   azcore.ETag
	client *azblob.Client
}

// Range implements blob.Ranger.
func (c *content) Range(ctx context.Context, from, to int64) (io.ReadCloser, error) {
	out, err := c.client.DownloadStream(ctx, &azblob.DownloadStreamOptions{Range: azblob.HTTPRange{Offset: from,
		Count: to - from},
		AccessConditions: &azblob.AccessConditions{
			ModifiedAccessConditions: &azblob.ModifiedAccessConditions{IfMatch: &c.etag},
		}})
	if err != nil {
		return nil, c.place.explain(err, c.name, "Microsoft.Storage/storageAccounts/blobServices/containers/blobs/read")
	}
	return out.Body, nil
}

func isDenied(err error) bool {
	answer := (*azcore.ResponseError)(nil)
	return errors.As(err, &answer) &&
		(answer.StatusCode == http.StatusForbidden || answer.StatusCode == http.StatusUnauthorized)
}

// explain turns an error of the service into advice for the user. The SDK's own text shows the URI with its signature,
// so only code and status are kept.
func (p place) explain(err error, name, permission string) error {
	address := p.shown(name)
	answer := (*azcore.ResponseError)(nil)
	if !errors.As(err, &answer) {
		if failed := (*azidentity.AuthenticationFailedError)(nil); errors.As(err, &failed) ||
			strings.Contains(err.Error(), "DefaultAzureCredential") {
			return fmt.Errorf("%s: no Azure credentials: set AZURE_STORAGE_CONNECTION_STRING, AZURE_STORAGE_SAS_TOKEN or "+
				"AZURE_STORAGE_KEY, run `az login`, or give this machine a managed identity: %w", address, err)
		}
		if ue := (*url.Error)(nil); errors.As(err, &ue) {
			err = ue.Err
		}
		return fmt.Errorf("%s: %w", address, err)
	}
	brief := fmt.Errorf("%s, status %d", answer.ErrorCode, answer.StatusCode)
	switch {
	case bloberror.HasCode(err, bloberror.ConditionNotMet,
		bloberror.InvalidRange), name != "" && answer.StatusCode == http.StatusNotFound,
		answer.StatusCode == http.StatusPreconditionFailed:
		return fmt.Errorf("%s: %w", address, blob.ErrChanged)
	case answer.StatusCode == http.StatusNotFound:
		return fmt.Errorf("%s: there is no such container: check account and container (%w)", address, brief)
	case bloberror.HasCode(err, bloberror.BlobArchived):
		return fmt.Errorf("%s: the blob is archived: move it to the hot or cool tier", address)
	case isDenied(err):
		role := "Reader"
		if permission == writing || permission == deleting {
			role = "Contributor"
		}
		return &blob.DeniedError{Address: address, Needs: permission, Err: brief,
			Advice: "assign the role Storage Blob Data " + role + " on the container to the identity that gpuledger runs as, " +
				"or renew the SAS; the account's firewall must let this machine in"}
	}
	return fmt.Errorf("%s: %w", address, brief)
}
