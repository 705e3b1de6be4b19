package main

import (
	"cmp"
	"context"
	"errors"
	"time"

	"gpuledger/internal/export"
	"gpuledger/internal/outgoing"
	"gpuledger/internal/store/exports"
	"gpuledger/metrics"
	"gpuledger/web/operate"
)

// SaveExport implements operate.Ledger. Over HTTP, no one may make the server write to its own disk.
func (l deskLedger) SaveExport(ctx context.Context, e operate.Export, by string) (bool, error) {
	x := outgoing.Schedule{Name: e.Name, Dataset: e.Dataset, Options: e.Options,
		Format: export.Format(cmp.Or(e.Format, string(export.Parquet))), ForExcel: e.ForExcel, Target: e.To,
		Every: outgoing.Cadence(e.Every), Months: cmp.Or(e.Months, outgoing.StandardMonths), Keep: e.Keep}
	if x.Local() {
		return false, &metrics.OptionError{Option: "to", Value: e.To, Reason: "is a folder of the server: name a bucket " +
			"(s3://, gs://, az://), or store the schedule on the server with gpuledger export schedule add"}
	}
	if err := x.Check(); err != nil {
		return false, err
	}
	if err := checkTarget(e.To); err != nil {
		return false, &metrics.OptionError{Option: "to", Reason: err.Error()}
	}
	return l.Exports.Save(ctx, by, time.Now(), x)
}

// RemoveExport implements operate.Ledger.
func (l deskLedger) RemoveExport(ctx context.Context, name, by string) error {
	err := l.Exports.Drop(ctx, by, time.Now(), name)
	if unknown, ok := errors.AsType[*exports.UnknownError](err); ok {
		return &operate.MissingError{Err: unknown}
	}
	return err
}
