import type { AnswerOf, CallInput, ItemOf, PageOf, ReadCall } from '@looptide/contracts/client'
import { atCursor } from '../../../lib/api/all-pages.ts'
import { ApiError } from '../../../lib/api/api-error.ts'
import { api } from '../../../lib/clients.ts'

/** Longest wait for a rate limit, in ms. */
const MAX_WAIT_MS = 60_000
const PAGE_TIMEOUT_MS = 60_000

type ExportCall = Extract<ReadCall, `GET /api/export/${string}`>

/** The parts that are read in pages, with their names in the file. */
const PARTS: Readonly<Record<Exclude<ExportCall, 'GET /api/export/account'>, string>> = {
  'GET /api/export/playlists': 'playlists',
  'GET /api/export/videos': 'videos',
  'GET /api/export/messages': 'messages',
  'GET /api/export/reports': 'reports',
  'GET /api/export/decisions': 'decisions',
  'GET /api/export/requests': 'requests',
  'GET /api/export/votes': 'votes',
  'GET /api/export/loads': 'loads',
  'GET /api/export/likes': 'likes',
  'GET /api/export/polls': 'polls',
  'GET /api/export/reminders': 'reminders',
  'GET /api/export/reminder-devices': 'reminder-devices',
}

/** Parts of audience, which a station without requests (`REQUESTS`) does not have. */
const OF_REQUESTS: ReadonlySet<ExportCall> = new Set([
  'GET /api/export/requests',
  'GET /api/export/votes',
  'GET /api/export/loads',
  'GET /api/export/likes',
  'GET /api/export/polls',
  'GET /api/export/reminders',
  'GET /api/export/reminder-devices',
])

/** Reads one page. At a rate limit it waits as long as the server asks. */
async function read<C extends ExportCall>(
  call: C,
  signal: AbortSignal,
  cursor?: string | null,
): Promise<AnswerOf<C>> {
  const options = { signal, timeoutMs: PAGE_TIMEOUT_MS }
  const input = atCursor<C>({} as CallInput<C>, cursor)
  try {
    return await api.call(call, input, options)
  } catch (failure) {
    const waitMs =
      failure instanceof ApiError && failure.code === 'rate_limited' ? failure.retryAfterMs : undefined
    if (waitMs === undefined || waitMs > MAX_WAIT_MS) throw failure
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    signal.throwIfAborted()
    return api.call(call, input, options)
  }
}

async function readAll<C extends ExportCall>(
  call: C,
  signal: AbortSignal,
  onProgress: (count: number) => void,
): Promise<ItemOf<C>[]> {
  const items: ItemOf<C>[] = []
  let cursor: string | null | undefined
  do {
    const page = (await read(call, signal, cursor)) as PageOf<ItemOf<C>>
    items.push(...page.items)
    onProgress(items.length)
    cursor = page.nextCursor
  } while (cursor !== null)
  return items
}

function noneIfAbsent(failure: unknown): undefined {
  if (failure instanceof ApiError && failure.code === 'not_found') return
  throw failure
}

/** Everything that the station stores about the caller, as a JSON file. `onProgress` gets a text for each step. */
export async function collectData(signal: AbortSignal, onProgress: (text: string) => void): Promise<Blob> {
  onProgress('Loading your account...')
  const account = await read('GET /api/export/account', signal)
  const parts: Record<string, unknown[]> = {}
  for (const call of Object.keys(PARTS) as (keyof typeof PARTS)[]) {
    const name = PARTS[call]
    const read = readAll(call, signal, (count) => onProgress(`${count} ${name} loaded...`))
    const items = OF_REQUESTS.has(call) ? await read.catch(noneIfAbsent) : await read
    if (items !== undefined) parts[name] = items
  }
  const data = { exportedAt: new Date().toISOString(), account, ...parts }
  return new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' })
}
