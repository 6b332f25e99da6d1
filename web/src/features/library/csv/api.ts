import type { ImportRow, ImportVideosBody } from '@looptide/contracts/http/video-import'
import { type AddVideosResult, MAX_LOOK_UP } from '@looptide/contracts/http/videos'
import { api } from '../../../lib/clients.ts'
import { ITEMS_PER_REQUEST, inBatches } from '../url-lines.ts'

type Line = AddVideosResult['lines'][number]

/** Timeout of the export, which takes long for a large library, in ms. */
const EXPORT_TIMEOUT_MS = 120_000

/**
 * Imports rows, or with `dryRun` only checks them, in several requests if needed. Returns a result for each row, in
 * order. `onProgress` receives the number of processed rows.
 */
export async function importRows(
  rows: readonly ImportRow[],
  dryRun: boolean,
  onProgress: (done: number) => void,
): Promise<Line[]> {
  const lines: Line[] = []
  for (const batch of inBatches(rows, ITEMS_PER_REQUEST)) {
    const body: ImportVideosBody = { rows: batch, dryRun }
    lines.push(...(await api.call('POST /api/videos/import', { body })).lines)
    onProgress(lines.length)
  }
  return lines
}

/** Attempts of the readiness check, and the interval between them in ms. */
const READY_ATTEMPTS = 60
const READY_INTERVAL_MS = 1000

/**
 * Waits until the imported videos can be added to channels; `onProgress` receives the number of ready videos. Videos
 * become ready in import order, so only the last one of each batch is checked. Gives up after a minute.
 */
export async function waitUntilReady(
  videoIds: readonly string[],
  onProgress: (ready: number) => void,
): Promise<void> {
  const batches = inBatches(videoIds, Math.max(ITEMS_PER_REQUEST, Math.ceil(videoIds.length / MAX_LOOK_UP)))
  const ids = batches.flatMap((batch) => batch.at(-1) ?? []).join()
  for (let attempt = 0; ids !== '' && attempt < READY_ATTEMPTS; attempt += 1) {
    const { readyIds } = await api.call('GET /api/live-playlist/readiness', { query: { ids } })
    const ready = batches.filter((batch) => readyIds.includes(batch.at(-1) ?? ''))
    onProgress(ready.reduce((sum, batch) => sum + batch.length, 0))
    if (ready.length === batches.length) return
    await new Promise((resolve) => setTimeout(resolve, READY_INTERVAL_MS))
  }
}

/** Exports the whole library as a CSV file. */
export async function exportLibrary(): Promise<Blob> {
  const options = { timeoutMs: EXPORT_TIMEOUT_MS }
  const { file } = await api.callForFile('POST /api/videos/export', { body: {} }, options)
  return file
}
