// DuckDB as a contestant of make bench-allocate: one JSON object per line in,
// {"sql": …, "rows": whether to answer with the rows}, and one per line out, {"wall_ns", "cpu_ns",
// "rows"} or {"error"}. Its own process, so that its memory and processor time
// are its own. It owns no query: those are in bench/allocate/sql.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

const folder = process.env.GPULEDGER_DUCKDB;
const { DuckDBInstance } = createRequire(join(folder, 'node_modules', 'x.js'))('@duckdb/node-api');
const db = await (await DuckDBInstance.create(':memory:')).connect();

for await (const line of createInterface({ input: process.stdin })) {
  const { sql, rows } = JSON.parse(line);
  const cpu = process.cpuUsage();
  const start = process.hrtime.bigint();
  let answer;
  try {
    const reader = await db.runAndReadAll(sql);
    const wall = process.hrtime.bigint() - start;
    const { user, system } = process.cpuUsage(cpu);
    answer = { wall_ns: Number(wall), cpu_ns: (user + system) * 1000, rows: rows ? reader.getRowsJson() : [] };
  } catch (error) {
    answer = { error: String(error.message ?? error) };
  }
  process.stdout.write(JSON.stringify(answer) + '\n');
}
