module gpuledger

go 1.26.0

require (
	github.com/a-h/templ v0.3.977 // pages
	github.com/alecthomas/kong v1.17.0 // command line
	github.com/apache/arrow-go/v18 v18.8.0 // Parquet and Arrow, in and out
	github.com/go-chi/chi/v5 v5.5.0 // routes
	github.com/google/go-cmp v0.7.0 // tests: readable differences
	github.com/jackc/pgx/v5 v5.12.0 // PostgreSQL, COPY
	github.com/jackc/tern/v2 v2.3.4 // migrations from plain SQL files
	github.com/klauspost/compress v1.20.3 // zstd, fast gzip
	github.com/prometheus/client_golang v1.25.0 // own metrics
	github.com/prometheus/common v0.72.0 // tests: the parser we measure ours against
	golang.org/x/sync v0.24.0 // errgroup
	gopkg.in/yaml.v3 v3.0.1 // price books, with line numbers
	pgregory.net/rapid v1.3.0 // tests: properties
)

require (
	dario.cat/mergo v1.0.1 // indirect
	github.com/Masterminds/goutils v1.1.1 // indirect
	github.com/Masterminds/semver/v3 v3.3.0 // indirect
	github.com/Masterminds/sprig/v3 v3.3.0 // indirect
	github.com/andybalholm/brotli v1.2.3 // indirect
	github.com/apache/thrift v0.24.0 // indirect
	github.com/beorn7/perks v1.0.1 // indirect
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/goccy/go-json v0.10.6 // indirect
	github.com/google/flatbuffers v25.12.19+incompatible // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/huandu/xstrings v1.5.0 // indirect
	github.com/jackc/pgpassfile v1.0.0 // indirect
	github.com/jackc/pgservicefile v0.0.0-20240606120523-5a60cdf6a761 // indirect
	github.com/jackc/puddle/v2 v2.2.3 // indirect
	github.com/klauspost/cpuid/v2 v2.4.0 // indirect
	github.com/mitchellh/copystructure v1.2.0 // indirect
	github.com/mitchellh/reflectwalk v1.0.2 // indirect
	github.com/munnerz/goautoneg v0.0.0-20191010083416-a7dc8b61c822 // indirect
	github.com/pierrec/lz4/v4 v4.1.29 // indirect
	github.com/prometheus/client_model v0.6.3 // indirect
	github.com/prometheus/procfs v0.22.0 // indirect
	github.com/shopspring/decimal v1.4.0 // indirect
	github.com/spf13/cast v1.7.0 // indirect
	github.com/zeebo/xxh3 v1.1.0 // indirect
	golang.org/x/crypto v0.57.0 // indirect
	golang.org/x/exp v0.0.0-20260112195511-716be5621a96 // indirect
	golang.org/x/net v0.59.0 // indirect
	golang.org/x/sys v0.48.0 // indirect
	golang.org/x/text v0.42.0 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20260526163538-3dc84a4a5aaa // indirect
	google.golang.org/grpc v1.83.2 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)
