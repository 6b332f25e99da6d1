import type { NowState, Programme } from '@looptide/contracts/http/channels'

/** The state of one channel in memory, with its serialised programmes. */
export interface ChannelEntry {
  state: NowState
  /** `state.programmes` as JSON text. */
  json: string
  /** The same as bytes, which all joins share. */
  bytes: Buffer
  /** When the first programme ends and the JSON must be rebuilt, epoch ms. */
  jsonEndsAtMs: number
  fetchedAtMs: number
  usedAtMs: number
}

/** Programmes reach two hours ahead. With less than this ahead, in ms, they are fetched again. */
const MIN_LOOKAHEAD_MS = 100 * 60_000
/** Age after which a state is fetched again, in case an event was missed, in ms. */
const MAX_AGE_MS = 120_000
/** Shortest time between two fetches because of a short lookahead, in ms. */
const LOOKAHEAD_RETRY_MS = 10_000

/** An entry for a state that was fetched at `nowMs`, without the programmes that have ended (epoch ms). */
export function createEntry(state: NowState, nowMs: number, usedAtMs: number): ChannelEntry {
  const entry = {
    ...{ state, json: '', bytes: Buffer.alloc(0), jsonEndsAtMs: 0 },
    ...{ fetchedAtMs: nowMs, usedAtMs },
  }
  trimEntry(entry, nowMs)
  return entry
}

/** Removes the programmes that have ended, and serialises the rest. */
export function trimEntry(entry: ChannelEntry, nowMs: number): void {
  const programmes: Programme[] = entry.state.programmes.filter(({ endsAtMs }) => endsAtMs > nowMs)
  entry.state = { ...entry.state, programmes }
  entry.json = JSON.stringify(programmes)
  entry.bytes = Buffer.from(entry.json)
  entry.jsonEndsAtMs = programmes[0]?.endsAtMs ?? Number.POSITIVE_INFINITY
}

/** The JSON text of a {@link NowState} up to its programmes, which {@link PROGRAMMES} begins. */
export const jsonHead = (
  channelId: string,
  { status, timelineVersion }: Pick<NowState, 'status' | 'timelineVersion'>,
  nowMs: number,
): string =>
  `{"channelId":${JSON.stringify(channelId)},"status":"${status}","timelineVersion":${timelineVersion},"serverNowMs":${nowMs}`

export const PROGRAMMES = ',"programmes":'

/** Whether viewers must be told of `after`: the timeline or the status differs. */
export const hasChanged = (before: NowState, after: NowState): boolean =>
  before.timelineVersion !== after.timelineVersion || before.status !== after.status

/** Whether a state is too old, or its programmes do not reach far enough ahead. */
export function needsRefresh({ state, fetchedAtMs }: ChannelEntry, nowMs: number): boolean {
  const endsAtMs = state.programmes.at(-1)?.endsAtMs ?? nowMs
  const ageMs = nowMs - fetchedAtMs
  const isShort = state.status === 'live' && endsAtMs - nowMs < MIN_LOOKAHEAD_MS
  return ageMs > MAX_AGE_MS || (isShort && ageMs > LOOKAHEAD_RETRY_MS)
}
