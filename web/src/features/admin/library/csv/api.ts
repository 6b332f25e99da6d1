import type { ImportRow, ImportVideosBody } from '@looptide/contracts/http/video-import'
import type { AddVideosResult } from '@looptide/contracts/http/videos'
import { api } from '../../../../lib/clients.ts'
import { ITEMS_PER_REQUEST, inPortions } from '../url-lines.ts'

type Line = AddVideosResult['lines'][number]

/** A large library takes its time. */
const EXPORT_TIMEOUT_MS = 120_000

/**
 * Takes rows in, or with `dryRun` asks what would come of it; as many requests as it takes. A verdict for each row, in
 * their order.
 */
export async function importRows(rows: readonly ImportRow[], dryRun: boolean): Promise<Line[]> {
  const lines: Line[] = []
  for (const portion of inPortions(rows, ITEMS_PER_REQUEST)) {
    const body: ImportVideosBody = { rows: portion, dryRun }
    lines.push(...(await api.post<AddVideosResult>('/api/videos/import', body)).lines)
  }
  return lines
}

/** The whole library as a file. */
export async function exportLibrary(): Promise<Blob> {
  const { file } = await api.postForFile('/api/videos/export', {}, { timeoutMs: EXPORT_TIMEOUT_MS })
  return file
}
