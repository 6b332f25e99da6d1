import type { BenchRow } from '../../report.ts'
import { curve, figureOf, type Item, type Picture, rowsWith, sizesOf } from '../item.ts'
import { table, times } from '../table.ts'

const GOAL_MS = 1000

function weeks(rows: readonly BenchRow[]): string {
  return table(
    ['videos', 'week of a schedule', 'week of a shuffled loop', 'schedule / loop'],
    sizesOf(rows, 'videos').map((videos) => {
      const row = rowsWith(rows, { videos })[0]
      const ms = (name: string) => `${figureOf(row, name) ?? '–'} ms`
      return [
        videos.toLocaleString('en'),
        ms('weekMs'),
        ms('weekOfLoopMs'),
        times(figureOf(row, 'scheduleByLoop'), 1),
      ]
    }),
  )
}

function pictureOfWeeks(rows: readonly BenchRow[]): Picture {
  return {
    name: 'planner-videos',
    title: 'How long planning a week takes by the number of videos in the library',
    xLabel: 'videos in the library',
    yLabel: 'ms of processor time',
    points: [
      ...curve(rows, 'schedule', 'videos', 'weekMs'),
      ...curve(rows, 'shuffled loop', 'videos', 'weekOfLoopMs'),
    ],
    goal: { y: GOAL_MS, label: `goal: ≤ ${GOAL_MS} ms for 10,000 videos` },
  }
}

export const planner: Item = {
  name: 'planner',
  steps: [500, 10_000, 100_000].map((videos) => ({
    name: `${videos} videos`,
    command: ['planner.ts', '--videos', String(videos)],
  })),
  tables: weeks,
  pictures: (rows) => [pictureOfWeeks(rows)],
}
