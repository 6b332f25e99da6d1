import { useMemo } from 'react'
import { dateLocale } from '../../lib/time/date-locale.ts'
import { Chart } from './chart.tsx'
import type { Point } from './fold-hours.ts'
import type { Series } from './plot.tsx'

const dayFormat = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short' })

/** Airings as bars and the average number of viewers as a line. */
export function AiringChart({
  points,
  by,
  label,
}: {
  points: readonly Point[]
  by: 'day' | 'hour'
  label: string
}) {
  const names = useMemo(
    () => points.map(({ x }) => (by === 'day' ? dayFormat.format(x) : `${String(x).padStart(2, '0')}:00`)),
    [points, by],
  )
  const series = useMemo<Series[]>(
    () => [
      {
        ...{ label: 'Airings', kind: 'bars', axis: 'left', colour: '--theme-primary' },
        values: points.map(({ airings }) => airings),
      },
      {
        ...{ label: 'Average viewers', kind: 'line', axis: 'right', colour: '--theme-accent' },
        values: points.map(({ listeners }) => listeners),
      },
    ],
    [points],
  )
  return <Chart label={label} unit={by === 'day' ? 'Day' : 'Hour'} names={names} series={series} />
}
