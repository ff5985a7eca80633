// Prints a line of JSON for each column of the given files, as hyparquet reads them: how many values, and of numbers
// their sum, least and greatest.
//
//     node read_parquet.mjs HYPARQUET FZSTD FILE...    the folders of both packages of npm
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [hyparquet, fzstd, ...files] = process.argv.slice(2);
const { parquetReadObjects } = await import(pathToFileURL(`${hyparquet}/src/index.js`).href);
const { decompress } = await import(pathToFileURL(`${fzstd}/esm/index.mjs`).href);

for (const file of files) {
  const bytes = readFileSync(file);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const rows = await parquetReadObjects({ file: buffer, compressors: { ZSTD: (bytes) => decompress(bytes) } });
  const columns = {};
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      const column = (columns[name] ??= { count: 0, sum: 0n, numbers: false });
      if (value === null || value === undefined) continue;
      ++column.count;
      if (typeof value !== "bigint") continue;
      column.numbers = true;
      column.sum += value;
      if (column.least === undefined || value < column.least) column.least = value;
      if (column.greatest === undefined || value > column.greatest) column.greatest = value;
    }
  }
  for (const [name, column] of Object.entries(columns)) {
    const line = { file, name, rows: rows.length, count: column.count };
    if (column.numbers) Object.assign(line, { sum: `${column.sum}`, least: `${column.least}`, greatest: `${column.greatest}` });
    console.log(JSON.stringify(line));
  }
}
