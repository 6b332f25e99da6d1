import type { VideoReadiness } from '@looptide/contracts/http/channels'
import type { ImportRow, ImportVideosBody } from '@looptide/contracts/http/video-import'
import { type AddVideosResult, MAX_LOOK_UP } from '@looptide/contracts/http/videos'
import { api } from '../../../../lib/clients.ts'
import { ITEMS_PER_REQUEST, inPortions } from '../url-lines.ts'

type Line = AddVideosResult['lines'][number]

/** A large library takes its time. */
const EXPORT_TIMEOUT_MS = 120_000

/**
 * Takes rows in, or with `dryRun` asks what would come of it; as many requests as it takes. A verdict for each row, in
 * their order. `onProgress` receives the number of rows that are done.
 */
export async function importRows(
  rows: readonly ImportRow[],
  dryRun: boolean,
  onProgress: (done: number) => void,
): Promise<Line[]> {
  const lines: Line[] = []
  for (const portion of inPortions(rows, ITEMS_PER_REQUEST)) {
    const body: ImportVideosBody = { rows: portion, dryRun }
    lines.push(...(await api.post<AddVideosResult>('/api/videos/import', body)).lines)
    onProgress(lines.length)
  }
  return lines
}

/** Most requests to the readiness check between two of which it waits. */
const READY_TRIES = 60
const READY_WAIT_MS = 1000

/**
 * Waits until the imported videos can be put on channels; `onProgress` receives how many can. Videos arrive in the order
 * of their import, so the last one of each portion stands for the portion. Gives up after a minute.
 */
export async function waitUntilReady(
  videoIds: readonly string[],
  onProgress: (ready: number) => void,
): Promise<void> {
  const portions = inPortions(videoIds, Math.max(ITEMS_PER_REQUEST, Math.ceil(videoIds.length / MAX_LOOK_UP)))
  const ids = portions.flatMap((portion) => portion.at(-1) ?? []).join()
  for (let attempt = 0; ids !== '' && attempt < READY_TRIES; attempt += 1) {
    const { readyIds } = await api.get<VideoReadiness>('/api/live-playlist/readiness', { query: { ids } })
    const ready = portions.filter((portion) => readyIds.includes(portion.at(-1) ?? ''))
    onProgress(ready.reduce((sum, portion) => sum + portion.length, 0))
    if (ready.length === portions.length) return
    await new Promise((resolve) => setTimeout(resolve, READY_WAIT_MS))
  }
}

/** The whole library as a file. */
export async function exportLibrary(): Promise<Blob> {
  const { file } = await api.postForFile('/api/videos/export', {}, { timeoutMs: EXPORT_TIMEOUT_MS })
  return file
}
