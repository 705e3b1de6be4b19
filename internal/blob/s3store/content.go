package s3store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"gpuledger/internal/blob"
)

// content reads one version of one object.
type content struct {
	client            *s3.Client
	bucket, key, etag string
}

// Range implements blob.Ranger.
func (c *content) Range(ctx context.Context, from, to int64) (io.ReadCloser, error) {
	in := &s3.GetObjectInput{Bucket: &c.bucket, Key: &c.key, Range: aws.String(fmt.Sprintf("bytes=%d-%d", from, to-1))}
	if c.etag != "" {
		in.IfMatch = &c.etag
	}
	out, err := c.client.GetObject(ctx, in)
	if err != nil {
		return nil, explain(err, c.bucket, c.key, "s3:GetObject")
	}
	if c.etag != "" && out.ETag != nil && *out.ETag != c.etag { // for servers that ignore If-Match
		return nil, errors.Join(fmt.Errorf("s3://%s/%s: %w", c.bucket, c.key, blob.ErrChanged), out.Body.Close())
	}
	return out.Body, nil
}

func code(err error) string {
	if api := smithy.APIError(nil); errors.As(err, &api) {
		return api.ErrorCode()
	}
	return ""
}

func response(err error) *smithyhttp.Response {
	if r := (*smithyhttp.ResponseError)(nil); errors.As(err, &r) {
		return r.Response
	}
	return nil
}

func isDenied(err error) bool {
	r := response(err)
	return code(err) == "AccessDenied" || r != nil && r.StatusCode == http.StatusForbidden
}

// elsewhere returns the bucket's region if err shows that it is another one.
func elsewhere(err error) string {
	r := response(err)
	if r == nil || (r.StatusCode != http.StatusMovedPermanently && r.StatusCode != http.StatusBadRequest &&
		r.StatusCode != http.StatusTemporaryRedirect) {
		return ""
	}
	return r.Header.Get("X-Amz-Bucket-Region")
}

// explain turns an error of the service into advice for the user.
func explain(err error, bucket, key, action string) error {
	address, resource := "s3://"+bucket, "bucket "+bucket
	if key != "" {
		address, resource = address+"/"+key, "s3://"+bucket+"/"+key
	}
	status := 0
	if r := response(err); r != nil {
		status = r.StatusCode
	}
	switch c := code(err); {
	case byRole(err):
		return fmt.Errorf("%s: the role cannot be assumed: check role_arn, external_id and that the trust policy of the "+
			"role allows this identity sts:AssumeRole: %w", address, short(err))
	case c == "" && strings.Contains(err.Error(), "get credentials"):
		return fmt.Errorf("%s: no AWS credentials: set AWS_PROFILE or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or "+
			"give this machine a role: %w", address, err)
	case c == "PreconditionFailed" || status == http.StatusPreconditionFailed,
		key != "" && (c == "NoSuchKey" || status == http.StatusNotFound && c != "NoSuchBucket"),
		status == http.StatusRequestedRangeNotSatisfiable:
		return fmt.Errorf("%s: %w", address, blob.ErrChanged)
	case c == "NoSuchBucket" || status == http.StatusNotFound:
		return fmt.Errorf("%s: there is no such bucket, or not at this endpoint: check its name, region and endpoint",
			address)
	case c == "InvalidAccessKeyId", c == "SignatureDoesNotMatch", c == "ExpiredToken", c == "InvalidToken",
		c == "RequestTimeTooSkewed":
		return fmt.Errorf("%s: the credentials are refused (%s): check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, "+
			"AWS_PROFILE or the role of this machine, and its clock", address, c)
	case c == "InvalidObjectState":
		return fmt.Errorf("%s: the object is archived (Glacier): restore it, or move it to another storage class", address)
	case c == "KMS.DisabledException", c == "KMS.NotFoundException":
		return fmt.Errorf("%s: its KMS key is gone or disabled (%s)", address, c)
	case isDenied(err):
		needs := action + " on " + resource
		if action == "s3:GetObject" {
			needs += " (and kms:Decrypt on its key where it is encrypted by KMS)"
		}
		return &blob.DeniedError{Address: address, Needs: needs, Err: short(err),
			Advice: "add it to the policy of the role or user that gpuledger runs as, and to the bucket policy when the " +
				"bucket belongs to another account"}
	}
	return fmt.Errorf("%s: %w", address, err)
}

// byRole reports whether the error is that the role could not be assumed.
func byRole(err error) bool {
	for op := (*smithy.OperationError)(nil); errors.As(err, &op); err = op.Unwrap() {
		if op.Service() == "STS" {
			return true
		}
	}
	return false
}

// short is the service's answer without the operations wrapped around it.
func short(err error) error {
	if api := smithy.APIError(nil); errors.As(err, &api) {
		return fmt.Errorf("%s: %s", api.ErrorCode(), api.ErrorMessage())
	}
	return err
}
