package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"gpuledger/internal/localpg"
)

// version is set by the linker.
var version = "dev"

func main() {
	localpg.LiveBelowFirst()
	localpg.SuperviseIfAsked()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
