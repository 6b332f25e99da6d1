/**
 * Cost of a timeline by the number of videos, and of keeping many channels on the air, beside a plain way that
 * always reads and writes everything.
 *
 *   node bench/timeline.ts [--videos 100,1000,10000] [--channels 10,100,1000] [--seconds 300] [--json FILE]
 *
 * Starts its own Postgres. Every figure is a whole transaction: lock, plan, rows, events, audit, and the update of
 * the memory of the process. Channels are kept ahead in simulated seconds, as fast as possible: the share of a core
 * is processor time by simulated time.
 */
import { parseArgs } from 'node:util'
import { startPostgres, testPostgresVariable } from '@looptide/testkit/postgres'
import { type BenchRow, machine, rounded, writeRows } from './report.ts'
import { keepChannels } from './timeline/by-channels.ts'
import { costsByVideos, PLAIN } from './timeline/by-videos.ts'
import { ProcessorTime } from './timeline/processor-time.ts'

const { values } = parseArgs({
  options: {
    videos: { type: 'string', default: '100,1000,10000' },
    channels: { type: 'string', default: '10,100,1000' },
    seconds: { type: 'string', default: '300' },
    json: { type: 'string' },
  },
})
const numbers = (text: string): number[] => text.split(',').filter(Boolean).map(Number)
const percent = (share: number): number => rounded(share * 100, 3)

console.log(machine())
const rows: BenchRow[] = []
const postgres = await startPostgres({ isDurable: true })
process.env[testPostgresVariable] = postgres.url
try {
  const processor = await ProcessorTime.of(postgres.url)
  for (const count of numbers(values.videos)) {
    for (const shuffled of [false, true]) await addCosts(processor, count, shuffled)
  }
  for (const count of numbers(values.channels)) await addKeeping(processor, count)
} finally {
  await postgres.stop()
}
if (values.json !== undefined) writeRows(values.json, rows)

async function addCosts(processor: ProcessorTime, videos: number, shuffled: boolean): Promise<void> {
  const costs = await costsByVideos(processor, videos, shuffled)
  const plain = costs[PLAIN]!
  const added = Object.entries(costs).map(([change, { wallMs, cpuMs }]) => ({
    bench: 'timeline',
    input: { videos, order: shuffled ? 'shuffled' : 'playlist', change },
    figures: {
      wallMs: rounded(wallMs, 1),
      cpuMs: rounded(cpuMs, 1),
      plainByThisCpu: rounded(plain.cpuMs / cpuMs, 1),
    },
  }))
  rows.push(...added)
  console.log(`\nA channel of ${videos} videos, ${shuffled ? 'shuffled' : 'in playlist order'}`)
  console.table(Object.fromEntries(added.map(({ input, figures }) => [input.change, figures])))
}

async function addKeeping(processor: ProcessorTime, channels: number): Promise<void> {
  const kept = await keepChannels(processor, channels, Number(values.seconds))
  const share = kept.eachSecondShare + kept.extendingShare
  const figures = {
    eachSecondPercentOfCore: percent(kept.eachSecondShare),
    extendingPercentOfCore: percent(kept.extendingShare),
    percentOfCore: percent(share),
    plainPercentOfCore: percent(kept.plainShare),
    postgresPercentOfCore: percent(kept.databaseShare),
    plainPostgresPercentOfCore: percent(kept.plainDatabaseShare),
    plainByOursCpu: rounded((kept.plainShare + kept.plainDatabaseShare) / (share + kept.databaseShare), 1),
    secondMs: rounded(kept.secondMs, 1),
    programmesEntered: kept.programmesEntered,
    memoryMib: rounded(kept.memoryMib),
  }
  rows.push({ bench: 'timeline', input: { channels }, figures })
  console.log(
    `\n${channels} channels of 50 videos kept ahead by one process, ${values.seconds} simulated seconds`,
  )
  console.table(figures)
}
