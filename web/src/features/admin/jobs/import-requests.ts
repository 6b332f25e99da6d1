import type { ImportRow } from '@looptide/contracts/http/video-import'
import { MAX_IMPORT_ROWS } from '@looptide/contracts/http/video-jobs'

/** Maximum size of the rows of a request, in bytes of JSON: the server accepts 1 MiB. */
const MAX_BYTES = 1_000_000

/** Splits the rows of an import into requests that the server accepts. */
export function inRequests(rows: readonly ImportRow[]): ImportRow[][] {
  const encoder = new TextEncoder()
  const requests: ImportRow[][] = []
  let bytes = 0
  for (const row of rows) {
    const rowBytes = encoder.encode(JSON.stringify(row)).length + 1
    const current = requests.at(-1)
    if (current !== undefined && bytes + rowBytes <= MAX_BYTES && current.length < MAX_IMPORT_ROWS) {
      current.push(row)
      bytes += rowBytes
    } else {
      requests.push([row])
      bytes = rowBytes
    }
  }
  return requests
}
