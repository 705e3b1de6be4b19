// Command access measures the cost of access control: the queries of pages (metrics.PageQueries) to a database that
// gpuledger filled, such as a demo's, alternating between no user (access control is off), an admin, an admin who
// filters by a team, and that team's lead. It makes two tokens in that database, which are used at once and are valid
// for an hour.
package main
