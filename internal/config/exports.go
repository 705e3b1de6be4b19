package config

// Exports configures the places that exports are written to. Credentials come from the environment, as for sources.
type Exports struct {
	S3 S3Target `yaml:"s3,omitempty"`
}

// S3Target is how s3:// targets are reached; all its fields are optional.
type S3Target struct {
	RoleARN    string `yaml:"role_arn,omitempty"`    // AWS role to assume
	ExternalID string `yaml:"external_id,omitempty"` // of the role's trust policy
	Endpoint   string `yaml:"endpoint,omitempty"`    // of a server other than Amazon's
	Region     string `yaml:"region,omitempty"`
	PathStyle  bool   `yaml:"path_style,omitempty"` // bucket in the path
}

func (e *Exports) check(fault fault) {
	if e.S3.ExternalID != "" && e.S3.RoleARN == "" {
		fault("external_id has no meaning without role_arn")
	}
}
