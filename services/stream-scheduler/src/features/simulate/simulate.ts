import type { ChannelLoop, SimulateBody, Simulation } from '@looptide/contracts/http/simulation'
import { errors } from '@looptide/service-kit/errors'
import type { ChannelRow, Store } from '../../db/schema.ts'
import { loopOf, planFuture, type Replan } from '../../timeline/future.ts'
import { loadItems } from '../../timeline/loop-repository.ts'
import { readChannels } from '../../timeline/memory-repository.ts'
import type { LoopItem } from '../../timeline/plan-timeline.ts'
import { programmeId } from '../../timeline/programme-id.ts'
import { changedItems } from './changed-items.ts'
import { compareFutures, type Slot } from './compare-futures.ts'
import { unplayableVideos, videoTexts } from './simulate-repository.ts'

const HOUR_MS = 3_600_000
const DEFAULT_HOURS = 3
/** Most programmes an answer carries, however short they are. */
const MOST_SHOWN = 500

/**
 * The next hours of a channel as they would be after a change, told against what is planned now. Planned by
 * what plans the timeline itself; a later change of the same kind, made before anything else, brings just this.
 * Throws `not_found`, `conflict` or `unprocessable` as the change itself would.
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
  const changedChannel = changed(channel, changes)
  const how = howChanged(channel, changes)
  const future = await planFuture(db, changedChannel, loopOf(changedChannel, items, how), nowMs, how)
  const fixed = future.fixed === null ? [] : [future.fixed]
  const now =
    future.fixed === null
      ? await startedAsItIs(db, channel, nowMs, fallbackMaxMs)
      : [...fixed, ...future.current].map((row) => ({ ...row, programmeId: programmeId(row) }))
  const planned = [...fixed, ...future.plan.programmes].filter(inWindow).slice(0, MOST_SHOWN)
  const shownUntilMs = planned.length === MOST_SHOWN ? (planned.at(-1)?.endsAtMs ?? untilMs) : untilMs
  const current = now.filter((slot) => slot.startsAtMs < shownUntilMs)
  const shownIds = new Set([...planned, ...current].map((slot) => slot.videoId))
  const unplayable = await unplayableVideos(db, videoIds)
  return {
    channelId,
    serverNowMs: nowMs,
    isOnAir: future.fixed !== null,
    videosCount: items.length,
    loop: {
      before: await loopAsItIs(db, channel, fallbackMaxMs),
      after: presentLoop(items, isLibrary),
    },
    ...compareFutures(planned, current, fixed.length, await videoTexts(db, [...shownIds])),
    ...unplayable,
  }
}

async function loopAsItIs(db: Store, channel: ChannelRow, fallbackMaxMs: number): Promise<ChannelLoop> {
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

/** The channel's row as the change would leave it before it plans. */
function changed(channel: ChannelRow, changes: SimulateBody): ChannelRow {
  const { order, remove, add, list } = changes
  const isOtherList = [order, remove, add, list].some((change) => change !== undefined)
  return {
    ...channel,
    shuffleEnabled: changes.shuffleEnabled ?? channel.shuffleEnabled,
    // Off the air an edit only counts the loop's version; the start that comes later draws by it.
    loopVersion: channel.loopVersion + (channel.status === 'idle' && isOtherList ? 1 : 0),
  }
}

/** Shuffle that is switched on begins a new round, as does a start; all else goes on in the running one. */
function howChanged(channel: ChannelRow, { shuffleEnabled = channel.shuffleEnabled }: SimulateBody): Replan {
  if (channel.status === 'idle') return 'restart'
  return shuffleEnabled && !channel.shuffleEnabled ? 'restart' : 'edit'
}

/** What a start would bring without the change. */
async function startedAsItIs(
  db: Store,
  channel: ChannelRow,
  nowMs: number,
  fallbackMaxMs: number,
): Promise<Slot[]> {
  const loop = loopOf(channel, await loadItems(db, channel, fallbackMaxMs), 'restart')
  return (await planFuture(db, channel, loop, nowMs, 'restart')).plan.programmes
}
