// Package localpg runs gpuledger's own PostgreSQL when no database is given.
//
// It finds server binaries (never downloads), initialises a data directory,
// and starts the server on a private Unix socket: no TCP port, no password.
// It works as root (the server then runs as postgres or nobody) and as a
// plain user.
//
// The server belongs to nobody and to everybody: every gpuledger process that
// uses a data directory holds a shared lock on it, and a small supervisor
// process (this binary, started again) stops the server as soon as no process
// holds the lock. A gpuledger killed with SIGKILL therefore leaves no server
// behind, and two gpuledgers on one data directory share one server. If the
// supervisor itself dies, the kernel tells the server to stop.
//
// A server that ends while somebody uses it (killed, out of memory) is started
// again by its users, after the processes that it left behind have ended:
// they hold its shared memory, and a new server refuses to start beside them.
// What was committed is on disk before the commit returns. As the first process of a
// container gpuledger lives below one that waits for what loses its parent; lock files
// that name a zombie or another program are removed before a start.
//
// It refuses a data directory made by another major version of PostgreSQL.
// It is meant for one machine; production brings its own DATABASE_URL.
package localpg
