import type { AirLogEntry } from '@looptide/contracts/http/channels'
import type { RepeatedAiring } from '@looptide/contracts/schedule'
import useSWR from 'swr'
import { allPages } from '../../../lib/api/all-pages.ts'
import { randomId } from '../../../lib/browser/random-id.ts'
import { api } from '../../../lib/clients.ts'

/** Videos of one look-up at most. */
const LOOKUP = 100

/** The programmes of a past evening: those that can be aired again, and those whose videos cannot be played any longer. */
export interface PastEvening {
  airings: RepeatedAiring[]
  leftOut: AirLogEntry[]
}

/** A time of the past, [fromMs, toMs) in epoch ms. */
export interface PastRange {
  fromMs: number
  toMs: number
}

/** The programmes that started on a channel in a range, in the order in which they were on; nothing without a range. */
export function usePastEvening(channelId: string, range: PastRange | undefined) {
  return useSWR(
    range && (['past-evening', channelId, range.fromMs, range.toMs] as const),
    ([, id, afterMs, beforeMs]) => readEvening(id, afterMs, beforeMs),
    { revalidateOnFocus: false, shouldRetryOnError: false },
  )
}

async function readEvening(channelId: string, fromMs: number, toMs: number): Promise<PastEvening> {
  const query = { afterMs: fromMs, beforeMs: toMs, order: 'oldest', limit: 100 } as const
  const log = await allPages('GET /api/channels/:id/air-log', { params: { id: channelId }, query })
  const aired = log.filter(({ startedAtMs }) => startedAtMs >= fromMs)
  const playable = new Set<string>()
  const ids = [...new Set(aired.map(({ videoId }) => videoId))]
  for (let from = 0; from < ids.length; from += LOOKUP) {
    const part = ids.slice(from, from + LOOKUP).join()
    const { items } = await api.call('GET /api/videos/lookup', { query: { ids: part } })
    for (const { id, metadataStatus } of items) if (metadataStatus !== 'unavailable') playable.add(id)
  }
  return {
    airings: aired
      .filter(({ videoId }) => playable.has(videoId))
      .map(({ videoId, startedAtMs, endedAtMs }) => ({ id: randomId(), videoId, startedAtMs, endedAtMs })),
    leftOut: aired.filter(({ videoId }) => !playable.has(videoId)),
  }
}
