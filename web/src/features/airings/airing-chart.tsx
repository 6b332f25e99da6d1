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
    const chart = new UPlot(optionsOf(by, element.clientWidth), dataOf(points), element)
    const observer = new ResizeObserver(() =>
      chart.setSize({ width: element.clientWidth, height: HEIGHT_PX }),
    )
    observer.observe(element)
    return () => {
      observer.disconnect()
      chart.destroy()
    }
  }, [points, by])
  return <div ref={host} role="img" aria-label={label} className="min-w-0" style={{ minHeight: HEIGHT_PX }} />
}

const dataOf = (points: readonly Point[]): UPlot.AlignedData => [
  points.map(({ x }) => x),
  points.map(({ airings }) => airings),
  points.map(({ listeners }) => listeners),
]

function optionsOf(by: 'day' | 'hour', width: number): UPlot.Options {
  const text = (x: number) => (by === 'day' ? dayFormat.format(x) : `${String(x).padStart(2, '0')}:00`)
  const lines = { stroke: colour('--theme-line'), width: 1 }
  const axis = { stroke: colour('--theme-muted'), font: FONT, grid: lines, ticks: lines }
  return {
    width,
    height: HEIGHT_PX,
    legend: { show: true, live: true },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: {
      x: { time: false },
      y: { range: (_, __, max) => [0, Math.max(1, max)] },
      viewers: { range: (_, __, max) => [0, Math.max(1, max ?? 1)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        values: (_, xs) => xs.map((x) => (Number.isInteger(x) ? text(x) : '')),
      },
      { ...axis, size: 44 },
      { ...axis, scale: 'viewers', side: 1, size: 44, grid: { show: false } },
    ],
    series: [
      { label: by === 'day' ? 'Day' : 'Hour', value: (_, x) => (x === null ? '–' : text(x)) },
      {
        label: 'Airings',
        fill: colour('--theme-primary'),
        paths: UPlot.paths.bars?.({ size: [0.7, 40] }),
        points: { show: false },
      },
      {
        label: 'Average viewers',
        scale: 'viewers',
        stroke: colour('--theme-accent'),
        width: 2,
        value: (_, viewers) =>
          viewers === null ? '–' : viewers.toLocaleString(dateLocale, { maximumFractionDigits: 1 }),
      },
    ],
  }
}
