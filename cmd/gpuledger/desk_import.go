package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"path"
	"strings"
	"time"

	"gpuledger/ingest"
	"gpuledger/ingest/experiments"
	"gpuledger/internal/blob"
	"gpuledger/internal/config"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store"
	"gpuledger/web/operate"
)

// bodyScheme is the scheme of files that requests carry, as the dataset imports shows them.
const bodyScheme = "http-body"

// bodyFile is the one file of a request, as a store.
type bodyFile struct {
	name    string
	content []byte
}

// List implements blob.Store.
func (f bodyFile) List(context.Context, string) ([]blob.Object, error) {
	return []blob.Object{{Name: f.name, Address: bodyScheme + "://" + f.name, Size: int64(len(f.content)),
		Content: f}}, nil
}

// Range implements blob.Ranger.
func (f bodyFile) Range(_ context.Context, from, to int64) (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader(f.content[from:to])), nil
}

// takeFile imports a file of a request.
type takeFile func(ctx context.Context, f operate.File) (*ingest.Summary, error)

// fileTaker imports files into the store, and then tells that facts have arrived.
func (a *app) fileTaker(s *store.Store, cfg *config.Config, arrived func()) takeFile {
	return func(ctx context.Context, f operate.File) (*ingest.Summary, error) {
		file := bodyFile{cmp.Or(path.Base(path.Clean("/"+f.Name)), inBody), f.Content}
		if file.name == "/" {
			file.name = inBody
		}
		req, err := a.request(cfg, config.Source{Source: f.Source, Cluster: f.Cluster,
			URIs: []string{bodyScheme + "://" + file.name}})
		if err != nil {
			return nil, err
		}
		req.Stores = blob.Stores{bodyScheme: file}
		sum, err := (&ingest.Importer{Store: s, Now: time.Now}).Import(ctx, req)
		if sum != nil && sum.Accepted > 0 {
			arrived()
		}
		return sum, err
	}
}

// Import implements operate.Ledger.
func (l deskLedger) Import(ctx context.Context, f operate.File, _ string) (operate.Imported, error) {
	sum, err := l.take(ctx, f)
	refused, some := errors.AsType[*ingest.RefusedError](err)
	switch {
	case some && refused.Whole:
		return operate.Imported{}, &operate.RefusedError{Reasons: reasonsOfImport(refused)}
	case err != nil && !some:
		return operate.Imported{}, err
	}
	return importedOf(sum), nil
}

// reasonsOfImport lists why nothing of a file was taken.
func reasonsOfImport(refused *ingest.RefusedError) (list []string) {
	for _, r := range refused.First {
		list = append(list, r.String())
	}
	if list == nil {
		list = append(list, refused.Error())
	}
	return list
}

func importedOf(sum *ingest.Summary) operate.Imported {
	out := operate.Imported{Source: sum.Source, State: string(sum.State), RowsRead: sum.RowsRead, Accepted: sum.Accepted,
		Rejected: sum.Rejected, Ignored: sum.Ignored, Rejections: []string{}, Imports: []string{}, Message: sum.Message}
	for _, r := range sum.Rejections {
		out.Rejections = append(out.Rejections, r.String())
	}
	for _, id := range sum.Imports {
		out.Imports = append(out.Imports, id.String())
	}
	return out
}

// SaveExperiments implements operate.Ledger. Rows of a file are taken one by one, those of a request all or none.
func (l deskLedger) SaveExperiments(ctx context.Context, document []byte, by string) (operate.Imported, error) {
	read, err := experiments.Parse(ctx, bytes.NewReader(document), inBody, experiments.Options{},
		func(*ledger.ExperimentResult) error { return nil })
	if err := wrongField(&read, err); err != nil {
		return operate.Imported{}, err
	}
	return l.Import(ctx, operate.File{Source: ingest.SourceExperiments, Name: "experiments.json", Content: document}, by)
}

// SavePriceBook implements operate.Ledger.
func (l deskLedger) SavePriceBook(ctx context.Context, document []byte, by string) (operate.Imported, error) {
	name := "price-book.yaml"
	if strings.HasPrefix(strings.TrimSpace(string(document)), "{") {
		name = "price-book.json" // JSON is YAML, too
	}
	return l.Import(ctx, operate.File{Source: ingest.SourcePriceBook, Name: name, Content: document}, by)
}
