import type { ImportRow, ImportVideosBody } from '@looptide/contracts/http/video-import'
import type { AddVideosResult } from '@looptide/contracts/http/videos'
import { api } from '../../../lib/clients.ts'
import { ITEMS_PER_REQUEST, inBatches } from '../url-lines.ts'

type Line = AddVideosResult['lines'][number]

/** Timeout of the export, which takes long for a large library, in ms. */
const EXPORT_TIMEOUT_MS = 120_000

/**
 * Checks rows without importing them, in several requests if needed. Returns what an import would do with each row, in
 * order. `onProgress` receives the number of checked rows.
 */
export async function checkRows(
  rows: readonly ImportRow[],
  onProgress: (done: number) => void,
): Promise<Line[]> {
  const lines: Line[] = []
  for (const batch of inBatches(rows, ITEMS_PER_REQUEST)) {
    const body: ImportVideosBody = { rows: batch, dryRun: true }
    lines.push(...(await api.call('POST /api/videos/import', { body })).lines)
    onProgress(lines.length)
  }
  return lines
}

/** Exports the whole library as a CSV file. */
export async function exportLibrary(): Promise<Blob> {
  const options = { timeoutMs: EXPORT_TIMEOUT_MS }
  const { file } = await api.callForFile('POST /api/videos/export', { body: {} }, options)
  return file
}
