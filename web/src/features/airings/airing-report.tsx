import type { AiringReport } from '@looptide/contracts/http/airings'
import type { Channel } from '@looptide/contracts/http/channels'
import { type ReactNode, useMemo, useState } from 'react'
import { saveFile } from '../../lib/browser/save-file.ts'
import { numberText } from '../../lib/count-text.ts'
import { useAction } from '../../lib/failures.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AiringChart } from './airing-chart.tsx'
import { exportAirings, useAiringReport } from './api.ts'
import { byDay, byHourOfDay } from './fold-hours.ts'
import { PERIODS, type Period, type PeriodName, periodOf, periodOfDates } from './period.ts'
import { ViewerStatistics } from './viewer-statistics.tsx'

const PERIOD_LABELS: Record<PeriodName, string> = {
  '7 days': 'Last 7 days',
  '28 days': 'Last 28 days',
  '90 days': 'Last 90 days',
  'this month': 'This month',
  'last month': 'Last month',
  dates: 'Dates…',
}

/** What a channel has aired: how often each video and artist, when, before how many viewers. */
export function AiringReportPanel({ channel }: { channel: Channel }) {
  const [name, setName] = useState<PeriodName>('7 days')
  const [dates, setDates] = useState({ from: '', to: '' })
  const [openedMs] = useState(() => Date.now())
  const chosen = useMemo(
    () => (name === 'dates' ? periodOfDates(dates.from, dates.to) : periodOf(name, openedMs)),
    [name, dates, openedMs],
  )
  const period = 'problem' in chosen ? undefined : chosen
  return (
    <div className="grid gap-6">
      <div className="flex flex-wrap items-end gap-4">
        <SelectField
          label="Period"
          choices={PERIODS.map((value) => ({ value, label: PERIOD_LABELS[value] }))}
          value={name}
          onChange={setName}
          className="w-44"
        />
        {name === 'dates' &&
          (['from', 'to'] as const).map((end) => (
            <TextField
              key={end}
              label={end === 'from' ? 'First day' : 'Last day'}
              type="date"
              value={dates[end]}
              onChange={(event) => setDates({ ...dates, [end]: event.target.value })}
            />
          ))}
        <ExportButton channel={channel} period={period} />
      </div>
      {'problem' in chosen ? (
        <p role="status" className="text-muted">
          {chosen.problem}
        </p>
      ) : (
        <>
          <Report channel={channel} period={chosen} />
          <ViewerStatistics channelId={channel.id} period={chosen} />
        </>
      )}
    </div>
  )
}

function ExportButton({ channel, period }: { channel: Channel; period: Period | undefined }) {
  const { isBusy, run } = useAction()
  const download = async (period: Period) =>
    saveFile(await exportAirings(channel.id, period), fileName(channel.id, period))
  return (
    <Button
      className="ml-auto"
      aria-disabled={isBusy || !period}
      title="Every airing with start, title, artist, duration and average viewers, for collecting societies"
      onClick={() => {
        if (period && !isBusy)
          void run(() => download(period), { title: 'Export Failed', text: 'Please try again.' })
      }}
    >
      {isBusy ? 'Exporting...' : 'Royalty log (CSV)'}
    </Button>
  )
}

const isoDay = (atMs: number): string => new Date(atMs).toLocaleDateString('sv-SE')
const fileName = (channelId: string, { fromMs, toMs }: Period): string =>
  `airings ${channelId} ${isoDay(fromMs)} to ${isoDay(toMs - 1)}.csv`

function Report({ channel, period }: { channel: Channel; period: Period }) {
  const { data, error, mutate } = useAiringReport(channel.id, period)
  const days = useMemo(() => data && byDay(data.hours, period), [data, period])
  const hours = useMemo(() => data && byHourOfDay(data.hours), [data])
  if (!data || !days || !hours) {
    if (error) return <ErrorNotice text="The report could not be loaded." onRetry={() => void mutate()} />
    return (
      <div role="status" aria-label="Loading report">
        <Skeleton className="h-96" />
      </div>
    )
  }
  if (data.totals.airings === 0)
    return <EmptyNotice title="Nothing was on the air in this period">Choose another one.</EmptyNotice>
  return (
    <>
      <Totals totals={data.totals} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 xl:grid-cols-2">
        <Section title="By day">
          <AiringChart by="day" points={days} label="Airings and average viewers of each day" />
        </Section>
        <Section title="By hour of the day">
          <AiringChart by="hour" points={hours} label="Airings and average viewers of each hour of the day" />
        </Section>
        <Section title="Videos">
          <Videos videos={data.videos} />
        </Section>
        <Section title="Artists">
          <Artists artists={data.artists} />
        </Section>
      </div>
    </>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section
      aria-label={title}
      className="grid content-start gap-3 rounded-lg border border-line/70 bg-panel p-4"
    >
      <h2 className="text-lg font-semibold">{title}</h2>
      {children}
    </section>
  )
}

const viewers = (number: number | null): string => (number === null ? '–' : numberText(number))

/** Hours and minutes, or days and hours. */
function length(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours} h ${minutes % 60} min`
  return `${Math.floor(hours / 24)} d ${hours % 24} h`
}

function Totals({ totals }: { totals: AiringReport['totals'] }) {
  const facts = [
    { name: 'Airings', value: numberText(totals.airings) },
    { name: 'On the air', value: length(totals.playedMs) },
    { name: 'Videos', value: numberText(totals.videos) },
    { name: 'Artists', value: numberText(totals.artists) },
    { name: 'Average viewers', value: viewers(totals.listeners) },
  ]
  return (
    <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-5">
      {facts.map(({ name, value }) => (
        <div key={name} className="rounded-lg border border-line/70 bg-panel px-4 py-3">
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="text-2xl font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Videos({ videos }: { videos: AiringReport['videos'] }) {
  return (
    <Table heads={['Video', 'Airings', 'Interval', 'Viewers']}>
      {videos.map(({ videoId, title, artistName, airings, intervalMs, listeners }) => (
        <Row
          key={videoId}
          numbers={[numberText(airings), intervalMs === null ? '–' : length(intervalMs), viewers(listeners)]}
        >
          <span className="line-clamp-2 wrap-anywhere">{title}</span>
          <span className="block wrap-anywhere text-sm font-normal text-muted">{artistName}</span>
        </Row>
      ))}
    </Table>
  )
}

function Artists({ artists }: { artists: AiringReport['artists'] }) {
  return (
    <Table heads={['Artist', 'Airings', 'Videos', 'Viewers']}>
      {artists.map(({ artistName, airings, videos, listeners }) => (
        <Row key={artistName} numbers={[numberText(airings), numberText(videos), viewers(listeners)]}>
          <span className="line-clamp-2 wrap-anywhere">{artistName}</span>
        </Row>
      ))}
    </Table>
  )
}

function Table({ heads, children }: { heads: readonly string[]; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard.
    <section className="max-h-96 overflow-auto" tabIndex={0} aria-label={`List: ${heads[0]}`}>
      <table className="w-full text-left">
        <thead className="sticky top-0 bg-panel text-sm text-muted">
          <tr>
            {heads.map((head, index) => (
              <th
                key={head}
                scope="col"
                className={index === 0 ? 'py-2 font-medium' : 'w-20 py-2 pl-3 text-right font-medium'}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line/50">{children}</tbody>
      </table>
    </section>
  )
}

function Row({ numbers, children }: { numbers: readonly string[]; children: ReactNode }) {
  return (
    <tr>
      <th scope="row" className="max-w-0 py-2 font-medium">
        {children}
      </th>
      {numbers.map((number, index) => (
        <td key={index} className="py-2 pl-3 text-right tabular-nums whitespace-nowrap">
          {number}
        </td>
      ))}
    </tr>
  )
}
