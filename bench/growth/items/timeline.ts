import type { BenchRow } from '../../report.ts'
import { curve, figureOf, type Item, type Picture, rowsWith, sizesOf } from '../item.ts'
import { table, times } from '../table.ts'

const GOAL_MS = 200
const GOAL_PERCENT = 10
const PLAIN = 'plain: read and write everything'
const EXTEND = 'extend by an hour, cached'
const REBUILD = 'restart (rebuild all)'
const REORDER = 'edit: reverse the order'

const ofVideos = (rows: readonly BenchRow[]) => rows.filter(({ input }) => 'videos' in input)
const ofChannels = (rows: readonly BenchRow[]) => rows.filter(({ input }) => 'channels' in input)

function costs(rows: readonly BenchRow[], order: string): string {
  const own = rowsWith(ofVideos(rows), { order })
  const sizes = sizesOf(own, 'videos')
  const changes = [...new Set(own.map(({ input }) => input.change as string))]
  const largest = sizes.at(-1) ?? 0
  return table(
    [
      `a channel ${order === 'shuffled' ? 'shuffled' : 'in playlist order'}, elapsed ms`,
      ...sizes.map((videos) => `${videos.toLocaleString('en')} videos`),
      'plain / this, processor',
    ],
    changes.map((change) => {
      const at = (videos: number) => rowsWith(own, { videos, change })[0]
      const ratio = figureOf(at(largest), 'plainByThisCpu')
      return [
        change,
        ...sizes.map((videos) => figureOf(at(videos), 'wallMs')),
        ratio === null ? null : `${ratio} ×`,
      ]
    }),
  )
}

function keeping(rows: readonly BenchRow[]): string {
  const own = ofChannels(rows)
  return table(
    ['channels kept ahead', 'of a core', 'Postgres', 'plain', 'Postgres, plain', 'plain / ours', 'memory'],
    sizesOf(own, 'channels').map((channels) => {
      const row = rowsWith(own, { channels })[0]
      const percent = (name: string) => {
        const value = figureOf(row, name)
        return value === null ? null : `${value} %`
      }
      const ratio = figureOf(row, 'plainByOursCpu')
      return [
        channels.toLocaleString('en'),
        percent('percentOfCore'),
        percent('postgresPercentOfCore'),
        percent('plainPercentOfCore'),
        percent('plainPostgresPercentOfCore'),
        times(ratio, 1),
        `${figureOf(row, 'memoryMib') ?? '–'} MiB`,
      ]
    }),
  )
}

function pictureOfVideos(rows: readonly BenchRow[]): Picture {
  const shuffled = rowsWith(ofVideos(rows), { order: 'shuffled' })
  const of = (change: string, name: string) => curve(rowsWith(shuffled, { change }), name, 'videos', 'wallMs')
  return {
    name: 'timeline-videos',
    title: 'How long a change of a shuffled channel takes by the number of its videos',
    xLabel: 'videos of a channel',
    yLabel: 'elapsed ms',
    points: [
      ...of(REORDER, 'reverse the order'),
      ...of(REBUILD, 'rebuild all'),
      ...of(PLAIN, 'plain: everything'),
      ...of(EXTEND, 'extend by an hour'),
    ],
    goal: { y: GOAL_MS, label: `goal: ≤ ${GOAL_MS} ms` },
  }
}

function pictureOfChannels(rows: readonly BenchRow[]): Picture {
  const own = ofChannels(rows)
  return {
    name: 'timeline-channels',
    title: 'How much of a core keeping channels ahead takes by their number',
    xLabel: 'channels',
    yLabel: '% of a core',
    points: [
      ...curve(own, 'plain, the process', 'channels', 'plainPercentOfCore'),
      ...curve(own, 'ours, the process', 'channels', 'percentOfCore'),
      ...curve(own, 'plain, Postgres', 'channels', 'plainPostgresPercentOfCore'),
      ...curve(own, 'ours, Postgres', 'channels', 'postgresPercentOfCore'),
    ],
    goal: { y: GOAL_PERCENT, label: `goal: < ${GOAL_PERCENT} % of a core` },
  }
}

export const timeline: Item = {
  name: 'timeline',
  steps: [
    ...[100, 1000, 10_000].map((videos) => ({
      name: `${videos} videos`,
      command: ['timeline.ts', '--videos', String(videos), '--channels', ''],
    })),
    ...[10, 100, 1000].map((channels) => ({
      name: `${channels} channels`,
      command: ['timeline.ts', '--videos', '', '--channels', String(channels), '--seconds', '60'],
    })),
  ],
  tables: (rows) => [costs(rows, 'playlist'), costs(rows, 'shuffled'), keeping(rows)].join('\n\n'),
  pictures: (rows) => [pictureOfVideos(rows), pictureOfChannels(rows)],
}
