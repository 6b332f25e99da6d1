import type { AirLogEntry, Programme } from '@looptide/contracts/http/channels'

/** A channel's data, read at `nowMs` by the station's clock. Lists are in order of time. */
export interface ChannelFacts {
  channelId: string
  nowMs: number
  isOnAir: boolean
  /** The timeline, from three hours ago or less to its end or 26 hours ahead. */
  programmes: readonly Programme[]
  /** The air log, ending with the current programme. */
  airLog: readonly AirLogEntry[]
  /** Instants at which an admin stopped the channel or reset it. */
  stopsAtMs: readonly number[]
}

export interface Finding {
  kind: 'gap' | 'overlap' | 'length' | 'order' | 'end' | 'air log'
  /** Epoch ms. */
  atMs: number
  what: string
}

const HOUR_MS = 3_600_000
/** A channel is planned further ahead than the 26 hours that are read (docs/flows.md). */
const AHEAD_MS = 26 * HOUR_MS - 60_000
/** The air log is written within this time of a programme's start. */
const LOG_LAG_MS = 5000
/**
 * Programmes that start within this time count as on the air: an edit keeps them, a reset may cut them short
 * (docs/decisions/0011-programmes-that-start-within-two-seconds-are-not-replaced.md).
 */
const GUARD_MS = 2000
/** A video shorter than a second is given one second. */
const SHORTEST_MS = 1000
/** The audit entry of an admin's stop is written a moment after the stop. */
const STOP_TOLD_MS = 10_000

/** All faults of a channel's timeline and air log, in order of time; empty if there are none. */
export function verifyChannel(facts: ChannelFacts): Finding[] {
  return [...verifyTimeline(facts), ...verifyAirLog(facts), ...verifyAgreement(facts)].toSorted(
    (a, b) => a.atMs - b.atMs,
  )
}

function verifyTimeline({ programmes, nowMs, isOnAir }: ChannelFacts): Finding[] {
  const findings: Finding[] = []
  const add = (kind: Finding['kind'], atMs: number, what: string) => findings.push({ kind, atMs, what })
  for (const [index, programme] of programmes.entries()) {
    const { id, seq, startsAtMs, endsAtMs } = programme
    const before = programmes[index - 1]
    // The past may have gaps from stops; the future must be continuous.
    if (before !== undefined && before.endsAtMs > startsAtMs) {
      add('overlap', startsAtMs, `${id} begins ${before.endsAtMs - startsAtMs} ms before ${before.id} ends`)
    } else if (before !== undefined && before.endsAtMs < startsAtMs && startsAtMs > nowMs) {
      add('gap', before.endsAtMs, `no programme for ${startsAtMs - before.endsAtMs} ms, until ${id}`)
    }
    if (before !== undefined && seq <= before.seq)
      add('order', startsAtMs, `${id} has the number ${seq}, which is not above ${before.seq}`)
    const isAhead = startsAtMs > nowMs + GUARD_MS
    if (!hasValidLength(programme, isAhead)) {
      const length = `${id} lasts ${endsAtMs - startsAtMs} ms`
      const { video } = programme
      add('length', startsAtMs, video === null ? length : `${length}, but its video ${video.durationMs} ms`)
    }
  }
  if (isOnAir) findings.push(...verifyReach(programmes, nowMs))
  return findings
}

/** A video of the future is played whole, unless a schedule cuts it short before a hard start. */
function hasValidLength(programme: Programme, isAhead: boolean): boolean {
  const lengthMs = programme.endsAtMs - programme.startsAtMs
  if (!isAhead || programme.kind !== 'video') return lengthMs > 0
  const videoMs = Math.max(SHORTEST_MS, programme.video.durationMs)
  const mayBeCut = programme.reason !== null
  return lengthMs === videoMs || (mayBeCut && lengthMs > 0 && lengthMs < videoMs)
}

function verifyReach(programmes: readonly Programme[], nowMs: number): Finding[] {
  const isCovered = programmes.some(({ startsAtMs, endsAtMs }) => startsAtMs <= nowMs && nowMs < endsAtMs)
  const endMs = programmes.at(-1)?.endsAtMs ?? nowMs
  return [
    ...(isCovered
      ? []
      : [
          {
            kind: 'gap' as const,
            atMs: nowMs,
            what: 'the channel is on the air, but has no current programme',
          },
        ]),
    ...(endMs >= nowMs + AHEAD_MS
      ? []
      : [
          {
            kind: 'end' as const,
            atMs: endMs,
            what: `the timeline ends ${hours(endMs - nowMs)} ahead instead of 26`,
          },
        ]),
  ]
}

const hours = (ms: number): string => `${(ms / HOUR_MS).toFixed(1)} hours`

function verifyAirLog({ airLog, stopsAtMs, programmes }: ChannelFacts): Finding[] {
  const cards = programmes.filter(({ kind }) => kind !== 'video')
  const knownSinceMs = programmes[0]?.startsAtMs ?? Number.POSITIVE_INFINITY
  return airLog.flatMap((entry, index): Finding[] => {
    const before = airLog[index - 1]
    const found: Finding[] = []
    if (entry.endedAtMs <= entry.startedAtMs) {
      found.push({
        kind: 'length',
        atMs: entry.startedAtMs,
        what: `line ${entry.id} of the air log has no duration`,
      })
    }
    if (before === undefined) return found
    const betweenMs = entry.startedAtMs - before.endedAtMs
    if (betweenMs < 0) {
      found.push({
        kind: 'overlap',
        atMs: entry.startedAtMs,
        what: `line ${entry.id} of the air log begins ${-betweenMs} ms before ${before.id} ends`,
      })
    } else if (
      betweenMs > 0 &&
      !stopsAtMs.some((atMs) => Math.abs(atMs - before.endedAtMs) < STOP_TOLD_MS) &&
      !isFilledByCards(before, entry, cards, knownSinceMs)
    ) {
      found.push({
        kind: 'gap',
        atMs: before.endedAtMs,
        what: `the air log has a gap of ${betweenMs} ms without a stop`,
      })
    }
    return found
  })
}

/**
 * Whether cards fill the time between two lines of the air log, which has no cards. Before `knownSinceMs` the timeline
 * is unknown; there a missing number counts as a card, if the channel has cards at all.
 */
function isFilledByCards(
  before: AirLogEntry,
  after: AirLogEntry,
  cards: readonly Programme[],
  knownSinceMs: number,
): boolean {
  if (before.endedAtMs < knownSinceMs) return cards.length > 0 && seqOf(after) > seqOf(before) + 1
  const between = cards.filter(
    ({ startsAtMs, endsAtMs }) => startsAtMs >= before.endedAtMs && endsAtMs <= after.startedAtMs,
  )
  const cardsMs = between.reduce((sum, { startsAtMs, endsAtMs }) => sum + endsAtMs - startsAtMs, 0)
  return cardsMs === after.startedAtMs - before.endedAtMs
}

const seqOf = ({ id }: AirLogEntry): number => Number(id.slice(id.lastIndexOf('.') + 1))

/** Each started video must be in the air log, with the same start, and nothing else. */
function verifyAgreement({ channelId, programmes, airLog, nowMs }: ChannelFacts): Finding[] {
  const logged = new Map(airLog.map((entry) => [entry.id, entry]))
  const firstMs = airLog[0]?.startedAtMs ?? Number.POSITIVE_INFINITY
  return programmes.flatMap((programme): Finding[] => {
    const { id, seq, startsAtMs, endsAtMs, videoId } = programme
    if (programme.kind !== 'video') return []
    if (startsAtMs > nowMs - LOG_LAG_MS || startsAtMs < firstMs) return []
    const entry = logged.get(`${channelId}.${seq}`)
    if (entry === undefined)
      return [{ kind: 'air log', atMs: startsAtMs, what: `${id} was on the air but is not in the air log` }]
    const differs =
      entry.startedAtMs !== startsAtMs || entry.endedAtMs !== endsAtMs || entry.videoId !== videoId
    return differs ? [{ kind: 'air log', atMs: startsAtMs, what: `${id} differs in the air log` }] : []
  })
}
