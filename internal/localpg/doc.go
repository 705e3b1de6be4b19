// Package localpg runs gpuledger's own PostgreSQL when no database is given.
//
// It finds server binaries (never downloads), initialises a data directory,
// and starts the server on a private Unix socket: no TCP port, no password.
// As root it runs the server as the user postgres or, without one, as the system's unprivileged user (serverUser); as a
// plain user it runs it as that user.
//
// The server is not tied to one process: every gpuledger process that uses a data directory holds a shared lock on it,
// and a small supervisor process (this binary, started again) stops the server as soon as no process holds the lock. So
// a gpuledger killed with SIGKILL leaves no server behind, and two gpuledgers on one data directory share one server.
// If the supervisor itself dies, the kernel signals the server to stop.
//
// If the server ends while it is in use (killed, out of memory), its users start it again after its leftover processes
// have ended: these hold its shared memory, and a new server refuses to start until they are gone. Commits are on disk
// before they return. As the first process of a container, gpuledger runs the work in a child process, because the
// first process must wait for orphans; lock files that name a zombie or another program are removed before a start.
//
// It refuses a data directory made by another major version of PostgreSQL.
// It is meant for one machine; production brings its own DATABASE_URL.
package localpg
