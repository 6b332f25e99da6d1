import type { NowState, VideoProgramme } from '@looptide/contracts/http/channels'
import { topics } from '@looptide/contracts/realtime'
import { useLiveChannelId } from '../../lib/api/use-active-channels.ts'
import { useCall } from '../../lib/api/use-call.ts'
import { useReload } from '../../lib/api/use-pushed-changes.ts'
import { useRandomDelay } from '../../lib/realtime/use-random-delay.ts'
import { useTopic } from '../../lib/realtime/use-topic.ts'

/** Number of videos in the plain listing; the page of all videos has the rest. */
const PLAIN_SIZE = 60
/** Delay of the reload after the end of a programme, and minimum intervals between reloads, in ms. */
const AFTER_END_MS = 1_500
const MIN_REFRESH_MS = 10_000
const IDLE_REFRESH_MS = 60_000

/** Hero and rows of the home page; stable during a visit. Changes of the curation appear at once. */
export function useHome() {
  const answer = useCall('GET /api/home', { query: { seed: visitSeed() } }, { anonymous: true })
  const reload = useReload(answer)
  useTopic('station', topics.station, { home: reload }, useRandomDelay(reload))
  return answer
}

/** The fallback if the home page cannot be loaded: public videos, newest first (docs/product/viewer.md §7). */
export function usePlainListing(isWanted: boolean) {
  const input = { query: { sort: 'newest', limit: PLAIN_SIZE } } as const
  return useCall('GET /api/videos', isWanted ? input : null, { anonymous: true })
}

/** The video that Live TV plays, or plays after the present card; undefined until loaded. */
export function useOnAir(): { programme: VideoProgramme | undefined; isOffAir: boolean } {
  const channelId = useLiveChannelId()
  const { data } = useCall(
    'GET /api/channels/:id/now',
    channelId === undefined ? null : { params: { id: channelId } },
    { anonymous: true, refreshInterval: msUntilNext, revalidateOnFocus: true },
  )
  return {
    programme: data?.programmes.find((programme) => programme.kind === 'video'),
    isOffAir: channelId === undefined || data?.programmes.length === 0,
  }
}

function msUntilNext(state: NowState | undefined): number {
  const [programme] = state?.programmes ?? []
  if (!state || !programme) return IDLE_REFRESH_MS
  return Math.max(MIN_REFRESH_MS, programme.endsAtMs - state.serverNowMs + AFTER_END_MS)
}

const KEY = 'looptide-visit'
/** Number of different seeds: enough for variety, few enough to be cached by the server. */
const SEEDS = 64

let seed: string | undefined

/** One seed per visit, so that random rows do not change during it. */
function visitSeed(): string {
  seed ??= stored() ?? String(Math.floor(Math.random() * SEEDS))
  try {
    sessionStorage.setItem(KEY, seed)
  } catch {
    // Without storage the seed lasts until the next page load.
  }
  return seed
}

function stored(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}
