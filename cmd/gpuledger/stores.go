package main

import (
	"context"
	"maps"
	"slices"

	"gpuledger/ingest"
	"gpuledger/internal/blob"
	"gpuledger/internal/blob/azstore"
	"gpuledger/internal/blob/bqtable"
	"gpuledger/internal/blob/gcsstore"
	"gpuledger/internal/blob/httpstore"
	"gpuledger/internal/blob/s3store"
	"gpuledger/internal/config"
	"gpuledger/internal/store/access"
)

// remoteStores returns the stores of a source; they connect on first use.
func remoteStores(src config.Source) blob.Stores {
	az := azstore.New(azstore.Options{Endpoint: src.Endpoint, Anonymous: src.Anonymous})
	web := httpstore.New()
	return blob.Stores{
		s3store.Scheme: s3store.New(s3store.Options{RoleARN: src.RoleARN, ExternalID: src.ExternalID, Endpoint: src.Endpoint,
			Region: src.Region, PathStyle: src.PathStyle, Anonymous: src.Anonymous}),
		gcsstore.Scheme: gcsstore.New(gcsstore.Options{Endpoint: src.Endpoint, Anonymous: src.Anonymous}),
		bqtable.Scheme:  bqtable.New(bqtable.Options{Endpoint: src.Endpoint, Location: src.Location, Project: src.Project}),
		azstore.Scheme:  az,
		"http":          web,
		"https":         httpsStore{az, web},
	}
}

// httpsStore sends https addresses of Azure to the Azure store and all others to the web store.
type httpsStore struct{ az, web blob.Store }

// List implements blob.Store.
func (s httpsStore) List(ctx context.Context, uri string) ([]blob.Object, error) {
	if azstore.Serves(uri) {
		return s.az.List(ctx, uri)
	}
	return s.web.List(ctx, uri)
}

// known are the names that a configuration may use.
func known() config.Known {
	return config.Known{Sources: ingest.Sources, Schemes: slices.Sorted(maps.Keys(remoteStores(config.Source{}))),
		Roles: peoplesRoles(), Scope: func(condition string) error { return access.CheckScope(condition) }}
}
