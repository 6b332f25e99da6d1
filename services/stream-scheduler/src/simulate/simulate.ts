import type { ChannelLoop } from '@looptide/contracts/http/loops'
import type { SimulateBody, SimulatedSchedule, Simulation } from '@looptide/contracts/http/simulation'
import { errors } from '@looptide/service-kit/http/errors'
import type { ChannelRow, Store } from '../db/schema.ts'
import { unplayableVideos, videoTexts } from '../library/video-repository.ts'
import { type LoopItem, loadItems } from '../schedule/loop-repository.ts'
import { ScheduleProgramming } from '../schedule/schedule-programming.ts'
import type { ScheduleReader } from '../schedule/schedule-reader.ts'
import { planFuture } from '../timeline/future.ts'
import { programmeId } from '../timeline/programme-id.ts'
import type { Programming, ReplanMode } from '../timeline/programming.ts'
import { readChannels } from '../timeline/timeline-cache-repository.ts'
import { changedItems } from './changed-items.ts'
import { compareFutures, type Slot } from './compare-futures.ts'

const HOUR_MS = 3_600_000
const DEFAULT_HOURS = 3
/** Maximum number of programmes in a response. */
const MAX_PROGRAMMES = 500

interface SimulateDeps {
  nowMs: number
  fallbackMaxMs: number
  schedules: ScheduleReader
}

/**
 * Simulates a change: the next hours of a channel after it, compared with the current timeline. It uses the planner of
 * the timeline, so the same change made next gives exactly these programmes. Throws `not_found`, `conflict` or
 * `unprocessable` as the change itself would.
 */
export async function simulate(
  db: Store,
  channelId: string,
  changes: SimulateBody,
  deps: SimulateDeps,
): Promise<Simulation> {
  const { nowMs, fallbackMaxMs } = deps
  const channel = (await readChannels(db, [channelId]))[0]
  if (channel === undefined) throw errors.notFound('This channel')
  const { items, videoIds, isLibrary } = await changedItems(db, channel, changes, fallbackMaxMs)
  const untilMs = nowMs + (changes.hours ?? DEFAULT_HOURS) * HOUR_MS
  const inWindow = (slot: Slot) => slot.startsAtMs < untilMs
  const channelAfter = applyToRow(channel, changes)
  const mode = replanModeFor(channel, changes)
  const programming = await programmingWith(db, channelAfter, items, mode, deps)
  const future = await planFuture(db, channelAfter, programming, nowMs, mode)
  const fixed = future.fixed === null ? [] : videosOf([future.fixed])
  const now =
    future.fixed === null
      ? await startWithoutChange(db, channel, deps)
      : videosOf([future.fixed, ...future.current]).map((row) => ({ ...row, programmeId: programmeId(row) }))
  const planned: Slot[] = [...fixed, ...videosOf(future.plan.programmes)]
    .filter(inWindow)
    .slice(0, MAX_PROGRAMMES)
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
    schedule:
      channel.scheduleVersion === 0
        ? null
        : addedAirings(changes, {
            usesPlaylist: await deps.schedules.usesOwnPlaylist(db, channel),
            planned: videosOf(future.plan.programmes),
            now,
          }),
    ...compareFutures(planned, current, fixed.length, await videoTexts(db, [...shownIds])),
    ...unplayable,
  }
}

/** How often the added videos air in the planned time, after the change and without it. */
function addedAirings(
  { add, list }: SimulateBody,
  { usesPlaylist, planned, now }: { usesPlaylist: boolean; planned: readonly Slot[]; now: readonly Slot[] },
): SimulatedSchedule {
  const added = new Set(add?.videoIds ?? list?.added?.map(({ videoId }) => videoId))
  const airingsIn = (slots: readonly Slot[]) => slots.filter(({ videoId }) => added.has(videoId))
  const airings = airingsIn(planned)
  const plannedUntilMs = planned.at(-1)?.endsAtMs ?? 0
  return {
    usesPlaylist,
    airings: airings.length,
    airingsBefore: airingsIn(now).filter(({ startsAtMs }) => startsAtMs < plannedUntilMs).length,
    firstAiringMs: airings[0]?.startsAtMs ?? null,
    plannedUntilMs,
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
async function startWithoutChange(db: Store, channel: ChannelRow, deps: SimulateDeps): Promise<Slot[]> {
  const items = await loadItems(db, channel, deps.fallbackMaxMs)
  const programming = await programmingWith(db, channel, items, 'restart', deps)
  const { plan } = await planFuture(db, channel, programming, deps.nowMs, 'restart')
  return videosOf(plan.programmes)
}

/** The channel's programming with these items as its playlist. */
async function programmingWith(
  db: Store,
  channel: ChannelRow,
  items: readonly LoopItem[],
  mode: ReplanMode,
  { schedules }: SimulateDeps,
): Promise<Programming> {
  if (channel.scheduleVersion > 0) return schedules.programming(db, channel, mode, items)
  return new ScheduleProgramming(channel, await schedules.loopMaterial(db, channel, items), mode)
}

/** The programmes with a video; a comparison leaves cards out. */
function videosOf<P extends { videoId: string | null }>(
  programmes: readonly P[],
): (P & { videoId: string })[] {
  return programmes.filter((programme): programme is P & { videoId: string } => programme.videoId !== null)
}
