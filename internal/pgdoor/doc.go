// Package pgdoor lets BI tools reach the private PostgreSQL of this machine over TCP, on a loopback address.
//
// The server that gpuledger runs itself has one Unix socket and no port, and trusts its owner on it. Tools that know no
// sockets connect here instead. The door reads the first message of each connection, lets only the logins pass that its
// caller names, and then copies bytes: PostgreSQL itself checks the password (SCRAM). The owner of the ledger
// is refused over TCP, like any role that is no BI login.
//
// It offers no TLS, and therefore refuses addresses that other machines reach.
package pgdoor
