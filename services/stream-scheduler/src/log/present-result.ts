import type { LogChange, LogEditResult, LogRule } from '@looptide/contracts/http/log'
import type { ScheduleDocument } from '@looptide/contracts/schedule'
import type { Store } from '../db/schema.ts'
import { previewTexts } from '../schedule/present-preview.ts'
import { compareFutures } from '../simulate/compare-futures.ts'
import type { PlannedProgramme } from '../timeline/programming.ts'
import { hardStartsIn } from './present-log.ts'

type Row = Pick<PlannedProgramme, 'seq' | 'videoId' | 'startsAtMs' | 'endsAtMs' | 'reason'>

interface Futures {
  before: readonly Row[]
  after: readonly Row[]
  untilMs: number
}

/** Maximum number of changes that are listed. */
const MAX_LISTED = 50

/** What an edit changes in the programmes that start before `untilMs` (epoch ms). */
export async function presentResult(
  db: Store,
  document: ScheduleDocument,
  { before, after, untilMs }: Futures,
): Promise<Omit<LogEditResult, 'editId'>> {
  const [current, planned] = [videosUntil(before, untilMs), videosUntil(after, untilMs)]
  const texts = await previewTexts(db, [...current, ...planned])
  const { programmes, dropped } = compareFutures(planned, current, 0, texts)
  const changes: LogChange[] = [
    ...programmes.flatMap(({ change, title, artistName, startsAtMs, previousStartMs }) =>
      change === 'same'
        ? []
        : [
            {
              ...{ title, artistName, startsAt: toInstant(startsAtMs) },
              previousStart: previousStartMs === null ? null : toInstant(previousStartMs),
            },
          ],
    ),
    ...dropped.map(({ title, artistName, previousStartMs }) => {
      return { title, artistName, startsAt: null, previousStart: toInstant(previousStartMs) }
    }),
  ].sort((a, b) => timeOf(a).localeCompare(timeOf(b)))
  const changed = programmes.filter(({ change }) => change !== 'same').map(({ startsAtMs }) => startsAtMs)
  const hardStarts =
    changed.length === 0 ? [] : hardStartsIn(document, Math.min(...changed), Math.max(...changed) + 1)
  const textOf = (videoId: string) => texts.get(videoId) ?? { title: 'A video', artistName: '' }
  return {
    changesCount: changes.length,
    changes: changes.slice(0, MAX_LISTED),
    breaches: newIn(planned, current, rulesOf).map(({ row, value }) => {
      return { rule: value, startsAt: toInstant(row.startsAtMs), ...textOf(row.videoId) }
    }),
    cuts: newIn(planned, current, ({ reason }) => (reason?.cut ? ['cut'] : [])).map(({ row }) => {
      return { startsAt: toInstant(row.startsAtMs), title: textOf(row.videoId).title }
    }),
    hardStarts: hardStarts.map(({ name, startsAtMs }) => ({ name, startsAt: toInstant(startsAtMs) })),
  }
}

type VideoRow = Row & { videoId: string }

const videosUntil = (rows: readonly Row[], untilMs: number): VideoRow[] =>
  rows.filter((row): row is VideoRow => row.videoId !== null && row.startsAtMs < untilMs)

const rulesOf = ({ reason }: Row): LogRule[] => [
  ...new Set([...(reason?.edit?.breaks ?? []), ...(reason?.relaxed ?? [])]),
]

/** What is true of planned programmes and is not of as many current airings of the same video. */
function newIn<Value extends string>(
  planned: readonly VideoRow[],
  current: readonly VideoRow[],
  valuesOf: (row: Row) => readonly Value[],
): { row: VideoRow; value: Value }[] {
  const known = new Map<string, number>()
  const keysOf = (row: VideoRow) =>
    valuesOf(row).map((value) => ({ row, value, key: `${row.videoId} ${value}` }))
  for (const { key } of current.flatMap(keysOf)) known.set(key, (known.get(key) ?? 0) + 1)
  return planned.flatMap(keysOf).filter(({ key }) => {
    const left = known.get(key) ?? 0
    known.set(key, left - 1)
    return left <= 0
  })
}

const toInstant = (ms: number): string => new Date(ms).toISOString()

const timeOf = ({ startsAt, previousStart }: LogChange): string => startsAt ?? previousStart ?? ''
