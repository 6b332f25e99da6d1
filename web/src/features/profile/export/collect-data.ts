import type {
  AccountExport,
  MessageExportPage,
  PlaylistExportPage,
  VideoExportPage,
} from '@looptide/contracts/http/exports'
import { ApiError } from '../../../lib/api/api-error.ts'
import { api } from '../../../lib/clients.ts'

interface Page<T> {
  items: T[]
  nextCursor: string | null
}

/** Longest wait for a rate limit, in ms. */
const MAX_WAIT_MS = 60_000
const PAGE_TIMEOUT_MS = 60_000

/** Reads one page. At a rate limit it waits as long as the server asks. */
async function read<T>(path: string, signal: AbortSignal, cursor?: string): Promise<T> {
  const options = { signal, timeoutMs: PAGE_TIMEOUT_MS, query: { cursor } }
  try {
    return await api.get<T>(path, options)
  } catch (failure) {
    const waitMs =
      failure instanceof ApiError && failure.code === 'rate_limited' ? failure.retryAfterMs : undefined
    if (waitMs === undefined || waitMs > MAX_WAIT_MS) throw failure
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    signal.throwIfAborted()
    return api.get<T>(path, options)
  }
}

async function readAll<T>(
  path: string,
  signal: AbortSignal,
  onProgress: (count: number) => void,
): Promise<T[]> {
  const items: T[] = []
  let cursor: string | undefined
  do {
    const page: Page<T> = await read(path, signal, cursor)
    items.push(...page.items)
    onProgress(items.length)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return items
}

/** Everything that the station stores about the caller, as a JSON file. `onProgress` gets a text for each step. */
export async function collectData(signal: AbortSignal, onProgress: (text: string) => void): Promise<Blob> {
  onProgress('Loading your account...')
  const account = await read<AccountExport>('/api/export/account', signal)
  const part = <T>(name: string): Promise<T[]> =>
    readAll(`/api/export/${name}`, signal, (count) => onProgress(`${count} ${name} loaded...`))
  const playlists = await part<PlaylistExportPage['items'][number]>('playlists')
  const videos = await part<VideoExportPage['items'][number]>('videos')
  const messages = await part<MessageExportPage['items'][number]>('messages')
  const data = { exportedAt: new Date().toISOString(), account, playlists, videos, messages }
  return new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' })
}
