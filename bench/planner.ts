/**
 * Cost of planning a schedule (packages/planner): a week by the size of the library, beside the same week without
 * blocks, clocks and rules. With `--years`, plans whole years day by day in several time zones and checks each plan;
 * `--zones all` takes one zone of each group with the same clock changes.
 *
 * `--channels` extends that many scheduled channels once, with everything that is read from Postgres and written
 * there, beside as many loops, and once more after a change of the library; it starts its own Postgres.
 *
 *   node bench/planner.ts [--videos 500,10000,100000] [--channels 1000] [--years N] [--zones Europe/Berlin,...|all]
 *     [--json FILE]
 */
import { parseArgs } from 'node:util'
import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { planSchedule } from '@looptide/planner/plan-schedule'
import { exampleLibrary } from '@looptide/planner/testing/example-library'
import { exampleSchedule } from '@looptide/planner/testing/example-schedule'
import { startPostgres, testPostgresVariable } from '@looptide/testkit/postgres'
import { distinctZones } from './planner/distinct-zones.ts'
import { extendChannels } from './planner/scheduled-channels.ts'
import { simulateYears } from './planner/simulate-years.ts'
import { quantile } from './quantile.ts'
import { type BenchRow, machine, rounded, writeRows } from './report.ts'
import type { Extension } from './timeline/extending.ts'
import { ProcessorTime } from './timeline/processor-time.ts'

const { values } = parseArgs({
  options: {
    videos: { type: 'string', default: '500,10000,100000' },
    channels: { type: 'string', default: '' },
    years: { type: 'string', default: '0' },
    zones: {
      type: 'string',
      default: 'America/Los_Angeles,Europe/Berlin,Australia/Lord_Howe,Africa/Casablanca',
    },
    json: { type: 'string' },
  },
})
const FROM_MS = Date.UTC(2026, 10, 23)
const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
const RUNS = 7
const CHANNEL_LIBRARY = 10_000

console.log(machine())
const numbers = (text: string): number[] => text.split(',').filter(Boolean).map(Number)
const rows: BenchRow[] = numbers(values.videos).map(weekOf)
console.table(rows.map(({ input, figures }) => ({ ...input, ...figures })))
for (const channels of numbers(values.channels)) await addChannels(channels)
const years = Number(values.years)
if (years > 0) {
  const zones =
    values.zones === 'all' ? distinctZones(FROM_MS, FROM_MS + years * 366 * DAY_MS) : values.zones.split(',')
  for (const [index, zone] of zones.entries()) {
    const figures = simulateYears(zone, years, FROM_MS)
    rows.push({ bench: 'planner', input: { zone, years }, figures })
    console.log(`${index + 1} of ${zones.length}`, zone, figures)
  }
}
if (values.json !== undefined) writeRows(values.json, rows)

/** Extends channels with and without a schedule. The library has 10,000 videos. */
async function addChannels(channels: number): Promise<void> {
  const postgres = await startPostgres({ isDurable: true })
  process.env[testPostgresVariable] = postgres.url
  try {
    const processor = await ProcessorTime.of(postgres.url)
    const schedule = await extendChannels(processor, channels, CHANNEL_LIBRARY, 'schedule')
    const loop = await extendChannels(processor, channels, CHANNEL_LIBRARY, 'loop')
    const share = (part: 'ourMs' | 'databaseMs', extension: Extension) =>
      (100 * extension[part]) / extension.grownMs
    const both = (extension: Extension) => share('ourMs', extension) + share('databaseMs', extension)
    const figures = {
      percentOfCore: rounded(share('ourMs', schedule.unchanged), 3),
      postgresPercentOfCore: rounded(share('databaseMs', schedule.unchanged), 3),
      changedPercentOfCore: rounded(share('ourMs', schedule.changed), 3),
      changedPostgresPercentOfCore: rounded(share('databaseMs', schedule.changed), 3),
      loopPercentOfCore: rounded(share('ourMs', loop.unchanged), 3),
      loopPostgresPercentOfCore: rounded(share('databaseMs', loop.unchanged), 3),
      scheduleByLoopCpu: rounded(both(schedule.unchanged) / both(loop.unchanged), 1),
      changedByUnchangedCpu: rounded(both(schedule.changed) / both(schedule.unchanged), 1),
    }
    rows.push({ bench: 'planner', input: { channels, videos: CHANNEL_LIBRARY }, figures })
    console.log(`\n${channels} channels, all extended once`)
    console.table(figures)
  } finally {
    await postgres.stop()
  }
}

/** Plans a week with and without a schedule, in turns, and compares the medians. */
function weekOf(videos: number): BenchRow {
  const library = exampleLibrary(videos)
  const playlist = library.slice(0, 40).map(({ id }) => ({ itemId: id, videoId: id }))
  const loop: ScheduleDocument = {
    timeZone: 'UTC',
    defaultSource: 'all',
    sources: { all: { kind: 'smart', where: {}, order: 'shuffle' } },
  }
  const measure = (document: ScheduleDocument): number => {
    const startMs = performance.now()
    planSchedule({
      document,
      library,
      playlists: new Map([['', playlist]]),
      history: [],
      seed: 'bench',
      state: null,
      fromMs: FROM_MS,
      toMs: FROM_MS + WEEK_MS,
    })
    return performance.now() - startMs
  }
  const schedule = exampleSchedule('America/Los_Angeles')
  const times = Array.from({ length: RUNS }, () => ({ schedule: measure(schedule), loop: measure(loop) }))
  const median = (name: 'schedule' | 'loop') =>
    quantile(
      times.map((time) => time[name]).sort((a, b) => a - b),
      0.5,
    )
  const [scheduleMs, loopMs] = [median('schedule'), median('loop')]
  return {
    bench: 'planner',
    input: { videos },
    figures: {
      weekMs: rounded(scheduleMs),
      weekOfLoopMs: rounded(loopMs),
      scheduleByLoop: rounded(scheduleMs / loopMs, 1),
    },
  }
}
