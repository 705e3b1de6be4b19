package s3store

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials/stscreds"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sts"

	"gpuledger/internal/blob"
	"gpuledger/internal/period"
)

// Scheme of the URIs that the store reads.
const Scheme = "s3"

// Options tune a Store. The zero value uses the SDK's default chain:
// environment, shared files, web identity, instance role.
type Options struct {
	RoleARN    string // role to assume; empty: none
	ExternalID string // for the role's trust policy
	Endpoint   string // of another service than Amazon's; empty: AWS_ENDPOINT_URL_S3, else Amazon's
	Region     string // empty: the chain's, else the bucket's
	PathStyle  bool   // bucket in the path instead of the host name
	Anonymous  bool   // unsigned requests, for public buckets

	// Client replaces the HTTP client, for tests.
	Client *http.Client
	// PageSize is the most keys of one answer; 0 = the server's (1000).
	PageSize int32
}

// fallbackRegion is the region that is queried for a bucket's region unless one is configured.
const fallbackRegion = "us-east-1"

// Store reads buckets. It is safe for concurrent use.
type Store struct {
	options Options

	mu      sync.Mutex
	config  *aws.Config
	regions map[string]string // of buckets that are elsewhere
}

// New returns a store; it connects on first use.
func New(o Options) *Store { return &Store{options: o, regions: map[string]string{}} }

// client makes a client for a bucket.
func (s *Store) client(ctx context.Context, bucket string) (*s3.Client, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.config == nil {
		cfg, err := s.load(ctx)
		if err != nil {
			return nil, err
		}
		s.config = &cfg
	}
	return s3.NewFromConfig(*s.config, func(o *s3.Options) {
		o.UsePathStyle = s.options.PathStyle
		if s.options.Endpoint != "" {
			o.BaseEndpoint = aws.String(s.options.Endpoint)
		}
		if region := s.regions[bucket]; region != "" {
			o.Region = region
		}
		if o.BaseEndpoint != nil { // other services than Amazon often do not support trailing checksums
			o.RequestChecksumCalculation = aws.RequestChecksumCalculationWhenRequired
			o.ResponseChecksumValidation = aws.ResponseChecksumValidationWhenRequired
		}
		o.DisableLogOutputChecksumValidationSkipped = true
	}), nil
}

func (s *Store) load(ctx context.Context) (aws.Config, error) {
	options := []func(*config.LoadOptions) error{config.WithRetryMaxAttempts(5)}
	if s.options.Region != "" {
		options = append(options, config.WithRegion(s.options.Region))
	}
	if s.options.Anonymous {
		options = append(options, config.WithCredentialsProvider(aws.AnonymousCredentials{}))
	}
	if s.options.Client != nil {
		options = append(options, config.WithHTTPClient(s.options.Client))
	}
	cfg, err := config.LoadDefaultConfig(ctx, options...)
	if err != nil {
		return cfg, fmt.Errorf("read the AWS configuration: %w", err)
	}
	if cfg.Region == "" {
		cfg.Region = fallbackRegion
	}
	if s.options.RoleARN != "" {
		role := stscreds.NewAssumeRoleProvider(sts.NewFromConfig(cfg), s.options.RoleARN,
			func(o *stscreds.AssumeRoleOptions) {
				o.RoleSessionName = "gpuledger"
				if s.options.ExternalID != "" {
					o.ExternalID = aws.String(s.options.ExternalID)
				}
			})
		cfg.Credentials = aws.NewCredentialsCache(role,
			func(o *aws.CredentialsCacheOptions) { o.ExpiryWindow = 5 * time.Minute })
	}
	return cfg, nil
}

// split splits s3://bucket/key.
func split(uri string) (bucket, key string, err error) {
	rest := strings.TrimPrefix(uri, Scheme+"://")
	bucket, key, _ = strings.Cut(rest, "/")
	if bucket == "" {
		return "", "", errors.New("no bucket: write s3://bucket/prefix")
	}
	return bucket, key, nil
}

// List implements blob.Store. Objects whose name begins with a dot and folder
// markers are left out.
func (s *Store) List(ctx context.Context, uri string) ([]blob.Object, error) {
	bucket, prefix, err := split(uri)
	if err != nil {
		return nil, err
	}
	objects, err := s.list(ctx, bucket, prefix)
	if region := elsewhere(err); region != "" {
		s.mu.Lock()
		s.regions[bucket] = region
		s.mu.Unlock()
		objects, err = s.list(ctx, bucket, prefix)
	}
	if err != nil && isDenied(err) && prefix != "" && !strings.HasSuffix(prefix, "/") {
		// A user who may only read objects can still name one.
		if one, herr := s.head(ctx, bucket, prefix); herr == nil {
			return []blob.Object{one}, nil
		}
	}
	if err != nil {
		return nil, explain(err, bucket, "", "s3:ListBucket")
	}
	if len(objects) == 0 {
		return nil, fmt.Errorf("bucket %s: %w", bucket, blob.ErrNothing)
	}
	return objects, nil
}

func (s *Store) list(ctx context.Context, bucket, prefix string) ([]blob.Object, error) {
	client, err := s.client(ctx, bucket)
	if err != nil {
		return nil, err
	}
	in := &s3.ListObjectsV2Input{Bucket: &bucket, Prefix: &prefix}
	if s.options.PageSize > 0 {
		in.MaxKeys = aws.Int32(s.options.PageSize)
	}
	var objects []blob.Object
	for pages := s3.NewListObjectsV2Paginator(client, in); pages.HasMorePages(); {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		for _, o := range page.Contents {
			key := aws.ToString(o.Key)
			name, ok := blob.Below(prefix, key)
			if !ok {
				continue
			}
			objects = append(objects,
				s.object(client, bucket, key, name, aws.ToInt64(o.Size), aws.ToString(o.ETag), o.LastModified))
			if len(objects) > blob.MaxListed {
				return nil, fmt.Errorf("more than %d objects: name a prefix below it", blob.MaxListed)
			}
		}
	}
	return objects, nil
}

func (s *Store) head(ctx context.Context, bucket, key string) (blob.Object, error) {
	client, err := s.client(ctx, bucket)
	if err != nil {
		return blob.Object{}, err
	}
	h, err := client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &bucket, Key: &key})
	if err != nil {
		return blob.Object{}, err
	}
	name, ok := blob.Below(key, key)
	if !ok {
		return blob.Object{}, errors.New("a folder")
	}
	return s.object(client, bucket, key, name, aws.ToInt64(h.ContentLength), aws.ToString(h.ETag), h.LastModified), nil
}

func (s *Store) object(
	client *s3.Client, bucket, key, name string, size int64, etag string, modified *time.Time,
) blob.Object {
	o := blob.Object{Name: name, Address: Scheme + "://" + bucket + "/" + key, Size: size,
		Version: strings.Trim(etag, `"`),
		Content: &content{client: client, bucket: bucket, key: key, etag: etag}}
	if modified != nil {
		o.Modified = period.FromTime(*modified)
	}
	return o
}
