import type {
  NamedAiring,
  StatisticsRow,
  StatisticsSort,
  StatisticsUnit,
} from '@looptide/contracts/http/airing-statistics'
import { useMemo, useState } from 'react'
import { Link } from 'react-router-dom'
import { saveFile } from '../../lib/browser/save-file.ts'
import { numberText } from '../../lib/count-text.ts'
import { useAction } from '../../lib/failures.ts'
import { paths } from '../../lib/paths.ts'
import { dateLocale } from '../../lib/time/date-locale.ts'
import { Button } from '../../ui/button.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { exportStatistics, useStatistics, useStatisticsChart } from './api.ts'
import { Chart, ChartSkeleton } from './chart.tsx'
import type { Period } from './period.ts'
import type { Series } from './plot.tsx'

const UNITS: { id: StatisticsUnit; label: string }[] = [
  { id: 'airing', label: 'By airing' },
  { id: 'hour', label: 'By hour' },
  { id: 'day', label: 'By day' },
]

const COLUMNS: { sort: StatisticsSort; label: string; text: (row: StatisticsRow) => string }[] = [
  { sort: 'viewersAtStart', label: 'At start', text: (row) => count(row.viewersAtStart) },
  { sort: 'viewersAtEnd', label: 'At end', text: (row) => count(row.viewersAtEnd) },
  { sort: 'joins', label: 'Joined', text: (row) => count(row.joins) },
  { sort: 'leaves', label: 'Left', text: (row) => count(row.leaves) },
  { sort: 'leftShare', label: 'Share left', text: ({ leftShare }) => percent(leftShare) },
  { sort: 'reactions', label: 'Reactions', text: (row) => count(row.reactions) },
  { sort: 'likes', label: 'Likes', text: (row) => count(row.likes) },
  { sort: 'messages', label: 'Messages', text: (row) => count(row.messages) },
  { sort: 'requests', label: 'Requests', text: (row) => count(row.requests) },
]

const count = (number: number | null): string => (number === null ? '–' : numberText(number))
const percentFormat = new Intl.NumberFormat(dateLocale, { style: 'percent', maximumFractionDigits: 0 })
const percent = (share: number | null): string => (share === null ? '–' : percentFormat.format(share))

const TIME_FORMATS: Record<StatisticsUnit, Intl.DateTimeFormat> = {
  airing: new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', timeStyle: 'short' }),
  hour: new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', timeStyle: 'short' }),
  day: new Intl.DateTimeFormat(dateLocale, { weekday: 'short', day: 'numeric', month: 'short' }),
}

/** What viewers did during the airings of a period: who came and went, reacted, liked, wrote and requested. */
export function ViewerStatistics({ channelId, period }: { channelId: string; period: Period }) {
  const [by, setBy] = useState<StatisticsUnit>('airing')
  return (
    <section
      aria-label="What viewers did"
      className="grid grid-cols-[minmax(0,1fr)] gap-4 rounded-lg border border-line/70 bg-panel p-4"
    >
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="text-lg font-semibold">What viewers did</h2>
        <DownloadButton channelId={channelId} period={period} by={by} />
      </div>
      <StatisticsChart channelId={channelId} period={period} />
      <Tabs
        label="Sum up"
        value={by}
        onChange={setBy}
        listClassName="w-fit"
        tabs={UNITS.map((unit) => ({
          ...unit,
          content: <Rows key={unit.id} channelId={channelId} period={period} by={unit.id} />,
        }))}
      />
    </section>
  )
}

function DownloadButton({
  channelId,
  period,
  by,
}: {
  channelId: string
  period: Period
  by: StatisticsUnit
}) {
  const { isBusy, run } = useAction()
  const download = async () =>
    saveFile(await exportStatistics(channelId, period, by), `viewers ${channelId} by ${by}.csv`)
  return (
    <Button
      className="ml-auto"
      aria-disabled={isBusy}
      onClick={() => {
        if (!isBusy) void run(download, { title: 'Export Failed', text: 'Please try again.' })
      }}
    >
      {isBusy ? 'Exporting...' : 'Download CSV'}
    </Button>
  )
}

/** Shorter than in the table: the axis of the chart has several beside each other. */
const POINT_FORMATS = {
  hour: new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short', hour: 'numeric' }),
  day: new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short' }),
}

const WEEK_MS = 8 * 86_400_000
const LINES = [
  {
    label: 'Viewers at start',
    axis: 'left',
    colour: '--theme-accent',
    of: 'viewersAtStart',
    isDashed: false,
  },
  { label: 'Joined', axis: 'left', colour: '--theme-primary', of: 'joins', isDashed: false },
  { label: 'Left', axis: 'left', colour: '--theme-text', of: 'leaves', isDashed: true },
  { label: 'Reactions', axis: 'right', colour: '--theme-muted', of: 'reactions', isDashed: false },
] as const

/** The hours of a week at most, else days. The table has the same numbers. */
function StatisticsChart({ channelId, period }: { channelId: string; period: Period }) {
  const by = period.toMs - period.fromMs < WEEK_MS ? 'hour' : 'day'
  const { data, error, mutate } = useStatisticsChart(channelId, period, by)
  const names = useMemo(
    () => data?.items.map(({ startedAtMs }) => POINT_FORMATS[by].format(startedAtMs)),
    [data, by],
  )
  const series = useMemo<Series[] | undefined>(
    () =>
      data &&
      LINES.map(({ of, ...line }) => ({
        ...line,
        kind: 'line',
        values: data.items.map((row) => row[of]),
      })),
    [data],
  )
  if (!names || !series) {
    if (error) return <ErrorNotice text="The chart could not be loaded." onRetry={() => void mutate()} />
    return <ChartSkeleton />
  }
  if (names.length === 0) return null
  const label = `Viewers, joins, leaves and reactions of each ${by}`
  return <Chart label={label} unit={by === 'day' ? 'Day' : 'Hour'} names={names} series={series} />
}

function Rows({ channelId, period, by }: { channelId: string; period: Period; by: StatisticsUnit }) {
  const [{ sort, order }, setOrder] = useState<{
    sort: StatisticsSort
    order: 'ascending' | 'descending'
  }>({ sort: 'start', order: 'descending' })
  const list = useStatistics(channelId, period, { by, sort, order })
  const sortBy = (chosen: StatisticsSort) =>
    setOrder({
      sort: chosen,
      order: chosen === sort && order === 'descending' ? 'ascending' : 'descending',
    })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <ListPage
        list={{ ...list, reload: () => void list.pages.mutate() }}
        loading="Loading statistics"
        skeleton={{ count: 4, className: 'h-10' }}
        failed="The statistics could not be loaded."
        empty={<EmptyNotice title="Nothing was on the air in this period">Choose another one.</EmptyNotice>}
      >
        {(rows) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard.
          <section className="max-h-128 overflow-auto" tabIndex={0} aria-label="Table of statistics">
            <table className="w-full text-left">
              <thead className="sticky top-0 bg-panel text-sm text-muted">
                <tr>
                  {[{ sort: 'start' as const, label: 'Start' }, ...COLUMNS].map((column, index) => (
                    <th
                      key={column.sort}
                      scope="col"
                      aria-sort={column.sort === sort ? order : 'none'}
                      className={index === 0 ? 'min-w-40 py-1' : 'py-1 pl-2 text-right'}
                    >
                      <button
                        type="button"
                        className="min-h-8 font-medium whitespace-nowrap hover:text-text"
                        onClick={() => sortBy(column.sort)}
                      >
                        {column.label}
                        <span aria-hidden="true">
                          {column.sort === sort && (order === 'descending' ? ' ↓' : ' ↑')}
                        </span>
                      </button>
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody className="divide-y divide-line/50">
                {list.first?.totals && (
                  <Row name="Whole period" row={list.first.totals} channelId={channelId} />
                )}
                {rows.map((row) => (
                  <Row
                    key={row.startedAtMs}
                    name={TIME_FORMATS[by].format(row.startedAtMs)}
                    row={row}
                    channelId={channelId}
                  />
                ))}
              </tbody>
            </table>
          </section>
        )}
      </ListPage>
    </div>
  )
}

function Row({ name, row, channelId }: { name: string; row: StatisticsRow; channelId: string }) {
  return (
    <tr>
      <th scope="row" className="py-2 text-sm font-normal">
        <span className="block text-muted">{name}</span>
        <AiringLink channelId={channelId} airing={row.airing} />
        {row.airing === null && (
          <>
            <AiringLink channelId={channelId} airing={row.mostLiked} prefix="Most liked: " />
            <AiringLink channelId={channelId} airing={row.mostLeft} prefix="Most left: " />
          </>
        )}
      </th>
      {COLUMNS.map(({ sort, text }) => (
        <td key={sort} className="py-2 pl-2 text-right align-top tabular-nums whitespace-nowrap">
          {text(row)}
        </td>
      ))}
    </tr>
  )
}

function AiringLink({
  channelId,
  airing,
  prefix = '',
}: {
  channelId: string
  airing: NamedAiring | null
  prefix?: string
}) {
  if (!airing) return null
  const { title, artistName, startedAtMs } = airing
  const name = [title ?? 'Programme', artistName].filter(Boolean).join(' – ')
  return (
    <Link
      to={paths.airing(channelId, startedAtMs)}
      className="line-clamp-2 font-medium wrap-anywhere hover:underline"
    >
      {prefix + name}
    </Link>
  )
}
