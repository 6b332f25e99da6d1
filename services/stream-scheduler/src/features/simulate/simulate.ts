import type { ChannelLoop, SimulateBody, Simulation } from '@looptide/contracts/http/simulation'
import { errors } from '@looptide/service-kit/http/errors'
import type { ChannelRow, Store } from '../../db/schema.ts'
import { loopOf, planFuture, type ReplanMode } from '../../timeline/future.ts'
import { loadItems } from '../../timeline/loop-repository.ts'
import type { LoopItem } from '../../timeline/plan-timeline.ts'
import { programmeId } from '../../timeline/programme-id.ts'
import { readChannels } from '../../timeline/timeline-cache-repository.ts'
import { changedItems } from './changed-items.ts'
import { compareFutures, type Slot } from './compare-futures.ts'
import { unplayableVideos, videoTexts } from './simulate-repository.ts'

const HOUR_MS = 3_600_000
const DEFAULT_HOURS = 3
/** Most programmes in a response. */
const MAX_PROGRAMMES = 500

/**
 * Simulates a change: the next hours of a channel after it, compared with the current timeline. It uses the planner of
 * the timeline, so the same change made next gives exactly these programmes. Throws `not_found`, `conflict` or
 * `unprocessable` as the change itself would.
 */
export async function simulate(
  db: Store,
  channelId: string,
  changes: SimulateBody,
  { nowMs, fallbackMaxMs }: { nowMs: number; fallbackMaxMs: number },
): Promise<Simulation> {
  const channel = (await readChannels(db, [channelId]))[0]
  if (channel === undefined) throw errors.notFound('This channel')
  const { items, videoIds, isLibrary } = await changedItems(db, channel, changes, fallbackMaxMs)
  const untilMs = nowMs + (changes.hours ?? DEFAULT_HOURS) * HOUR_MS
  const inWindow = (slot: Slot) => slot.startsAtMs < untilMs
  const channelAfter = applyToRow(channel, changes)
  const mode = replanModeFor(channel, changes)
  const future = await planFuture(db, channelAfter, loopOf(channelAfter, items, mode), nowMs, mode)
  const fixed = future.fixed === null ? [] : [future.fixed]
  const now =
    future.fixed === null
      ? await startWithoutChange(db, channel, nowMs, fallbackMaxMs)
      : [...fixed, ...future.current].map((row) => ({ ...row, programmeId: programmeId(row) }))
  const planned = [...fixed, ...future.plan.programmes].filter(inWindow).slice(0, MAX_PROGRAMMES)
  const shownUntilMs = planned.length === MAX_PROGRAMMES ? (planned.at(-1)?.endsAtMs ?? untilMs) : untilMs
  const current = now.filter((slot) => slot.startsAtMs < shownUntilMs)
  const shownIds = new Set([...planned, ...current].map((slot) => slot.videoId))
  const unplayable = await unplayableVideos(db, videoIds)
  return {
    channelId,
    serverNowMs: nowMs,
    isOnAir: future.fixed !== null,
    videosCount: items.length,
    loop: {
      before: await currentLoop(db, channel, fallbackMaxMs),
      after: presentLoop(items, isLibrary),
    },
    ...compareFutures(planned, current, fixed.length, await videoTexts(db, [...shownIds])),
    ...unplayable,
  }
}

async function currentLoop(db: Store, channel: ChannelRow, fallbackMaxMs: number): Promise<ChannelLoop> {
  const { items, isLibrary } = await changedItems(db, channel, {}, fallbackMaxMs)
  return presentLoop(items, isLibrary)
}

function presentLoop(items: readonly LoopItem[], isLibrary: boolean): ChannelLoop {
  return {
    source: isLibrary ? 'library' : 'playlist',
    videosCount: items.length,
    durationMs: items.reduce((sum, { durationMs }) => sum + durationMs, 0),
  }
}

/** The channel's row after the change and before planning. */
function applyToRow(channel: ChannelRow, changes: SimulateBody): ChannelRow {
  const { order, remove, add, list } = changes
  const isListChanged = [order, remove, add, list].some((change) => change !== undefined)
  return {
    ...channel,
    shuffleEnabled: changes.shuffleEnabled ?? channel.shuffleEnabled,
    // Off the air an edit only increases the loop version, from which the next start derives its seed.
    loopVersion: channel.loopVersion + (channel.status === 'idle' && isListChanged ? 1 : 0),
  }
}

/** Switching shuffle on and starting a channel start a new cycle; other changes continue the current one. */
function replanModeFor(
  channel: ChannelRow,
  { shuffleEnabled = channel.shuffleEnabled }: SimulateBody,
): ReplanMode {
  if (channel.status === 'idle') return 'restart'
  return shuffleEnabled && !channel.shuffleEnabled ? 'restart' : 'edit'
}

/** The programmes that a start would plan without the change. */
async function startWithoutChange(
  db: Store,
  channel: ChannelRow,
  nowMs: number,
  fallbackMaxMs: number,
): Promise<Slot[]> {
  const loop = loopOf(channel, await loadItems(db, channel, fallbackMaxMs), 'restart')
  return (await planFuture(db, channel, loop, nowMs, 'restart')).plan.programmes
}
