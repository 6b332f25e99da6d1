import { type CallInput, type ReadCall, requestOf } from '@looptide/contracts/client'
import type { NowState, VideoProgramme } from '@looptide/contracts/http/channels'
import { topics } from '@looptide/contracts/realtime'
import { mutate } from 'swr'
import { peekEarly } from '../../lib/api/early-answers.ts'
import { useLiveChannelId } from '../../lib/api/use-active-channels.ts'
import { keyOf, useCall } from '../../lib/api/use-call.ts'
import { defaultChannelInPage } from '../../lib/api/use-config.ts'
import { useReload } from '../../lib/api/use-pushed-changes.ts'
import { useRandomDelay } from '../../lib/realtime/use-random-delay.ts'
import { useTopic } from '../../lib/realtime/use-topic.ts'
import { HOME_CALL } from './home-call.ts'

/** Number of videos in the plain listing; the page of all videos has the rest. */
const PLAIN_SIZE = 60
/** Delay of the reload after the end of a programme, and minimum intervals between reloads, in ms. */
const AFTER_END_MS = 1_500
const MIN_REFRESH_MS = 10_000
const IDLE_REFRESH_MS = 60_000

/** Lets the first render show what the start script has requested. */
export async function readEarlyHome(): Promise<void> {
  const onAir = ['GET /api/channels/:id/now', { params: { id: defaultChannelInPage } }] as const
  await Promise.all([readEarly(...HOME_CALL), readEarly(...onAir)])
}

async function readEarly<C extends ReadCall>(call: C, input: CallInput<C>): Promise<void> {
  const answer = await peekEarly(requestOf(call, input).url)
  if (answer !== undefined)
    await mutate(keyOf(call, input, { anonymous: true }), answer, { revalidate: false })
}

/** Hero and rows of the home page; stable during a visit. Changes of the curation appear at once. */
export function useHome() {
  const answer = useCall(...HOME_CALL, { anonymous: true })
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
