import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { dateLocale } from '../../lib/time/date-locale.ts'
import type { Point } from './fold-hours.ts'

const HEIGHT_PX = 220
const FONT = '12px system-ui'

/** A colour of the theme; the canvas does not know variables. */
const colour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim()

const dayFormat = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short' })

/** Airings as bars and the average number of viewers as a line. The tables beside it have the same numbers as text. */
export function AiringChart({
  points,
  by,
  label,
}: {
  points: readonly Point[]
  by: 'day' | 'hour'
  label: string
}) {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = host.current
    if (!element) return
    const chart = new UPlot(optionsOf(points, by, element.clientWidth), dataOf(points), element)
    const observer = new ResizeObserver(() =>
      chart.setSize({ width: element.clientWidth, height: HEIGHT_PX }),
    )
    observer.observe(element)
    return () => {
      observer.disconnect()
      chart.destroy()
    }
  }, [points, by])
  return (
    <div
      ref={host}
      role="img"
      aria-label={label}
      className="min-w-0 [&_.u-legend]:text-sm [&_.u-legend]:text-muted [&_.u-legend_th]:font-medium [&_.uplot]:[font-family:inherit]"
      style={{ minHeight: HEIGHT_PX }}
    />
  )
}

/** `x` is the number of the point: a day on which clocks change is as wide as the others. */
const dataOf = (points: readonly Point[]): UPlot.AlignedData => [
  points.map((_, index) => index),
  points.map(({ airings }) => airings),
  points.map(({ listeners }) => listeners),
]

/** Whole numbers: there is no half day, airing or viewer. */
const STEPS = [
  1, 2, 3, 5, 7, 10, 14, 20, 30, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000,
]
const fromZero: UPlot.Scale['range'] = (_, __, max) => [0, Math.max(1, Math.ceil((max || 0) * 1.05))]

function optionsOf(points: readonly Point[], by: 'day' | 'hour', width: number): UPlot.Options {
  const nameOf = (index: number | null): string => {
    const x = index === null ? undefined : points[index]?.x
    if (x === undefined) return '–'
    return by === 'day' ? dayFormat.format(x) : `${String(x).padStart(2, '0')}:00`
  }
  const number = (value: number | null): string =>
    value === null ? '–' : value.toLocaleString(dateLocale, { maximumFractionDigits: 1 })
  const lines = { stroke: colour('--theme-line'), width: 1 }
  const axis = { stroke: colour('--theme-muted'), font: FONT, grid: lines, ticks: lines, incrs: STEPS }
  return {
    width,
    height: HEIGHT_PX,
    cursor: { y: false, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: [-0.5, points.length - 0.5] },
      y: { range: fromZero },
      viewers: { range: fromZero },
    },
    axes: [
      { ...axis, grid: { show: false }, values: (_, indexes) => indexes.map(nameOf) },
      { ...axis, size: 48 },
      { ...axis, scale: 'viewers', side: 1, size: 48, grid: { show: false } },
    ],
    series: [
      { label: by === 'day' ? 'Day' : 'Hour', value: (_, index) => nameOf(index) },
      {
        label: 'Airings',
        fill: colour('--theme-primary'),
        paths: UPlot.paths.bars?.({ size: [0.7, 40] }),
        points: { show: false },
        value: (_, airings) => number(airings),
      },
      {
        label: 'Average viewers',
        scale: 'viewers',
        stroke: colour('--theme-accent'),
        width: 2,
        value: (_, viewers) => number(viewers),
      },
    ],
  }
}
