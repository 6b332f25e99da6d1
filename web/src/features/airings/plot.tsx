import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { dateLocale } from '../../lib/time/date-locale.ts'

/** The height of the plot, without the legend below it. */
const HEIGHT_PX = 220
const FONT = '12px system-ui'
/** Width of a character of {@link FONT} on average, and the space between two names, in px. */
const CHARACTER_PX = 7
const GAP_PX = 16

/** A series of a chart; null where a number is not known. `axis`: the side of its numbers. `colour`: a variable of the theme. */
export interface Series {
  label: string
  values: readonly (number | null)[]
  kind: 'bars' | 'line'
  axis: 'left' | 'right'
  colour: `--theme-${string}`
  isDashed?: boolean
}

/** A colour of the theme; the canvas does not know variables. */
const colour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim()

export interface PlotProps {
  label: string
  unit: 'Day' | 'Hour'
  names: readonly string[]
  series: readonly Series[]
}

/**
 * Series over points that are as wide as each other, such as days on which clocks change. `names`: texts of the points. The
 * tables beside a plot have the same numbers as text.
 */
export function Plot({ label, unit, names, series }: PlotProps) {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = host.current
    if (!element) return
    const data: UPlot.AlignedData = [
      names.map((_, index) => index),
      ...series.map(({ values }) => [...values]),
    ]
    const chart = new UPlot(optionsOf({ unit, names, series }, element.clientWidth), data, element)
    const observer = new ResizeObserver(() =>
      chart.setSize({ width: element.clientWidth, height: HEIGHT_PX }),
    )
    observer.observe(element)
    return () => {
      observer.disconnect()
      chart.destroy()
    }
  }, [unit, names, series])
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

/** Whole numbers: there is no half day, airing or viewer. */
const STEPS = [
  1, 2, 3, 5, 7, 10, 14, 20, 30, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000,
]
const fromZero: UPlot.Scale['range'] = (_, __, max) => [0, Math.max(1, Math.ceil((max || 0) * 1.05))]
const number = (value: number | null): string =>
  value === null ? '–' : value.toLocaleString(dateLocale, { maximumFractionDigits: 1 })

function optionsOf(
  { unit, names, series }: { unit: string; names: readonly string[]; series: readonly Series[] },
  width: number,
): UPlot.Options {
  const nameOf = (index: number | null): string => (index === null ? undefined : names[index]) ?? '–'
  const lines = { stroke: colour('--theme-line'), width: 1 }
  const space = Math.max(0, ...names.map(({ length }) => length)) * CHARACTER_PX + GAP_PX
  const axis = { stroke: colour('--theme-muted'), font: FONT, grid: lines, ticks: lines, incrs: STEPS }
  return {
    width,
    height: HEIGHT_PX,
    cursor: { y: false, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: [-0.5, names.length - 0.5] },
      left: { range: fromZero },
      right: { range: fromZero },
    },
    axes: [
      { ...axis, space, grid: { show: false }, values: (_, indexes) => indexes.map(nameOf) },
      { ...axis, scale: 'left', size: 48 },
      { ...axis, scale: 'right', side: 1, size: 48, grid: { show: false } },
    ],
    legend: { markers: { dash: (_, index) => (series[index - 1]?.isDashed ? 'dashed' : 'solid') } },
    series: [{ label: unit, value: (_, index) => nameOf(index) }, ...series.map(seriesOf)],
  }
}

const seriesOf = (series: Series): UPlot.Series => ({
  label: series.label,
  scale: series.axis,
  value: (_, value) => number(value),
  ...(series.kind === 'bars'
    ? {
        fill: colour(series.colour),
        paths: UPlot.paths.bars?.({ size: [0.7, 40] }),
        points: { show: false },
      }
    : { stroke: colour(series.colour), width: 2, dash: series.isDashed ? [6, 4] : [] }),
})
