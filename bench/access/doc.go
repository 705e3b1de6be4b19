// Command access measures what access control costs: the questions of pages
// (metrics.PageQueries) to a database that gpuledger filled, such as a demo's, turn by
// turn of nobody (access control is off), of an admin, of an admin who filters by a team
// and of that team's lead. It makes two tokens of that database, used at once and for an hour.
package main
