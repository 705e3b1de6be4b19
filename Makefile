# gpuledger. `make help` lists the targets.
SHELL := bash
.DEFAULT_GOAL := help
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
TEMPL   := go run github.com/a-h/templ/cmd/templ@v0.3.977
LINT    := go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
SIZE    ?= medium
export CGO_ENABLED ?= 0

.PHONY: boards duckdb pandas help check build build-race demo demo-live gallery test test-go test-race test-browser test-real test-live test-objectstores test-kube test-access test-mutants lint generate check-generated bench-parse bench-engine build-bench bench-import bench-telemetry bench-allocate bench-report bench-access bench-web bench-export fuzz clean postgres chromium prometheus

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 20

# Without -trimpath, so that tests and program share what was compiled; the
# image has it.
build: ## build bin/gpuledger
	go build -ldflags "-s -w -X main.version=$(VERSION)" -o bin/gpuledger ./cmd/gpuledger

# The time of every file in a package is that of the commit.
packages: ## binaries, Debian packages, container images and SBOMs for linux on amd64 and arm64, in dist
	go -C deploy/build run . build -version $(VERSION) -time $$(git log -1 --format=%ct) -root ../.. -out ../../dist

postgres:
	@.ci/ensure-postgres

chromium:
	@.ci/ensure-chromium

prometheus:
	@.ci/ensure-prometheus

pandas:
	@.ci/ensure-pandas

duckdb:
	@.ci/ensure-duckdb >/dev/null || [ "$(CI)" != true ]

demo: build postgres ## simulate a fleet, import, allocate, verify and serve it (SIZE=small|medium|large)
	bin/gpuledger demo --size $(SIZE)

demo-live: build postgres ## the same with a fleet that lives on, scraped by a real Prometheus where one is installed
	SIZE=$(if $(filter file,$(origin SIZE)),small,$(SIZE)) .ci/demo-live

# How much tests ask: every day, and in full (test/tier). rapid divides by five with -short:
# a twentieth of its 100 draws. What has not changed is tested again in CI alone.
everyday := RAPID_CHECKS=25 go test -vet=off -short -timeout 25m $(if $(filter true,$(CI)),-count=1)
full := GPULEDGER_TEST_FULL=1 go test -vet=off -count=1 -timeout 60m

vet := go vet ./... && go -C bench vet ./... && go -C deploy/grafana/build vet ./...

check: ## go vet and all tests that need no database: a minute of processor time, compiling apart
	$(vet)
	$(everyday) $$(.ci/packages pure)

test: test-go test-browser test-clients ## all everyday tests: each rule once, with databases and a browser

test-go: postgres prometheus duckdb pandas check-generated
	$(vet)
	$(everyday) ./...
	go -C deploy/grafana/build test -vet=off ./...

# What runs under the race detector: packages, then packages with the tests that race.
RACE := ./ingest ./ingest/bill ./ingest/table ./ingest/live ./ingest/remotewrite ./ingest/scrape ./ingest/promquery ./ingest/endpoints ./ingest/eventqueue ./ingest/openmetrics ./internal/agent ./internal/blob/... ./internal/schedule ./internal/localpg ./internal/minutes ./internal/workers ./internal/closing ./web/...
RACE_POSTING := ./internal/posting
RACE_STORE := ./internal/store ./internal/store/book ./internal/store/facts ./internal/store/periods ./internal/store/pg
RACE_ENGINE := ./allocation
race := env CGO_ENABLED=1 go test -vet=off -count=1 -timeout 25m -race

test-race: postgres ## the concurrent packages under the race detector
	$(race) -short $(RACE)
	$(race) -short -run 'TestEveryCharge|TestACancelled|TestRates' $(RACE_POSTING)
	$(race) -short -run 'Races|TakenOver|Partitions|Readers|Calculations|Inbox|Dying|Killed|Processes' $(RACE_STORE)
	$(race) -run 'Room|Parallel' $(RACE_ENGINE)

build-race:
	nice $(race) -run '^$$' $(RACE) $(RACE_POSTING) $(RACE_STORE) $(RACE_ENGINE) >/dev/null

test-browser: build postgres chromium ## the pages in a real Chromium
	test/browser/run

gallery: build postgres chromium ## pictures of all pages in artifacts/gallery, and those of docs/screenshots (SIZE=small|medium)
	SIZE=$(SIZE) test/browser/run gallery

test-objectstores: ## S3, Google Cloud Storage and Azure, from servers that speak their protocol
	.ci/test-objectstores

test-live: build postgres ## a real Prometheus scrapes a live fleet and writes to the demo; read back, nothing changes
	.ci/test-live

test-kube: ## the watch of Kubernetes clusters and the Helm chart against a real kube-apiserver, built once (8 minutes)
	.ci/test-kube

test-access: ## who sees what: 1,000 questions of people with scopes, every dataset and attack for each (2 minutes)
	$(full) -run TestWhoSeesWhat ./test/e2e

test-packages: ## packages of this machine's architecture: installed with dpkg, images unpacked and run, SBOMs read
	go -C deploy/build test -count=1 ./...

.PHONY: test-clients clients packages test-packages
test-clients: build postgres ## the REST API's clients: current, the document linted, scripts in TypeScript and Go against a server
	web/api/client/typescript/run

test-mutants: ## operators of the engine and of fact makers changed one by one: a test notices each (5 minutes)
	go run ./test/mutants

test-real: build postgres prometheus chromium test-objectstores test-kube test-packages ## before an issue is called resolved: races, object stores, a real kube-apiserver, packages, a live Prometheus, all draws, fleets, upgrades and kills, the demo at full size: time, memory, kill -9
	$(MAKE) -j2 test-live build-race # a live fleet mostly waits
	$(MAKE) test-race
	$(full) $$(.ci/packages tiers)
	GPULEDGER_TEST_FULL=1 test/browser/run
	.ci/test-real

generate: ## regenerate templ components
	$(TEMPL) generate -path web/views

boards: ## rewrite the Grafana boards of deploy/grafana from deploy/grafana/build
	go -C deploy/grafana/build run .

clients: ## regenerate the clients of the REST API from web/api/openapi.json
	web/api/client/generate

check-generated: ## fail when committed generated code is stale
	@$(TEMPL) generate -path web/views >/dev/null 2>&1
	@git diff --exit-code --stat -- '*_templ.go' || { echo "generated templ code was stale: commit the result of make generate" >&2; exit 1; }

lint: ## golangci-lint
	$(LINT) run ./...
	cd bench && $(LINT) run ./...

bench-parse: ## exporter text and bills: lines per second
	go test -run xxx -bench Parse -benchmem ./ingest/...

bench-engine: ## one node-day of allocation
	go test -run xxx -bench . -benchmem ./allocation/... ./internal/money

build-bench: build # bench is a module: its programs run from here all the same
	go -C bench build -o ../bin/bench/ ./...

bench-import: build-bench ## a CUR 2.0 month of 2 M lines from files to published charges, turn by turn with psql
	bin/bench/import

bench-telemetry: build-bench postgres prometheus ## remote_write turn by turn with Prometheus, an OpenMetrics file, roll-ups (ARGS="-duration 10m -only write")
	bin/bench/telemetry $(ARGS)

bench-allocate: build-bench postgres ## a month of 1,000 GPUs: the engine turn by turn with DuckDB, then PostgreSQL to postings (ARGS="-only engine -gpus 250")
	GPULEDGER_DUCKDB=$$(.ci/ensure-duckdb) bin/bench/allocate $(ARGS)

bench-report: build-bench postgres ## a year of 10,000 GPUs: the twelve questions of pages at 20 a second, and the same from postings (ARGS="-only year -duration 5m")
	bin/bench/report $(ARGS)

bench-access: build-bench postgres ## what access control costs: the questions of pages to a demo's database, of nobody, an admin, a team's lead (ARGS="-data-dir DIR -team speech", DIR being what gpuledger demo --no-serve filled)
	bin/bench/access $(ARGS)

bench-web: build-bench postgres ## every page alone, panels at 20 a second, and a bare handler with their statements (ARGS="-data-dir DIR", DIR being what gpuledger demo --size medium --no-serve filled; the year: -data-dir DIR/server -database year)
	bin/bench/web $(ARGS)

bench-export: build-bench postgres ## 5 M postings as Parquet and CSV turn by turn with psql, 100 rows as JSON with a bare handler, a day per pod and hour (ARGS="-data-dir DIR -rows 300000 -only export", DIR being what gpuledger demo --size medium --no-serve filled)
	bin/bench/export $(ARGS)

fuzz: ## each fuzz target for 20 s
	@for p in $$(go list ./...); do \
	  for f in $$(go test -list '^Fuzz' $$p 2>/dev/null | grep ^Fuzz); do \
	    echo "== $$p $$f"; go test -run xxx -fuzz "^$$f\$$" -fuzztime 20s -fuzzminimizetime 50x $$p || exit 1; done; done

clean: ## remove build results
	rm -rf bin dist artifacts
