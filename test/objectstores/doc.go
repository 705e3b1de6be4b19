// Package objectstores reads S3, Google Cloud Storage and Azure through gpuledger's stores from servers that are too
// heavy for the ordinary tests: versitygw, fake-gcs-server and azurite. It is a separate module, so that these are not
// dependencies of gpuledger. `make test-objectstores` installs and runs it.
package objectstores
