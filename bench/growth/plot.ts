import * as Plot from '@observablehq/plot'
import { JSDOM } from 'jsdom'
import type { Picture, Point } from './item.ts'

const WIDTH = 800
const HEIGHT = 360
const LABEL_GAP = 15
/** Distinguishable on white and black, also with colour blindness (after Okabe and Ito). */
const COLOURS = ['#d55e00', '#0090d8', '#009e73', '#b8860b', '#b45a9a', '#7a7a7a']

/** Readable everywhere: has its own background, as light or dark as the reader's screen. */
const STYLE = `
  svg { background: #ffffff; color: #1f2328; font: 13px system-ui, sans-serif; }
  @media (prefers-color-scheme: dark) { svg { background: #0d1117; color: #e6edf3; } }`

/** The plot as SVG text; deterministic. */
export function draw(picture: Picture): string {
  const { document } = new JSDOM('').window
  const series = [...new Set(picture.points.map((point) => point.series))]
  const base = options(picture, series)
  const scale = Plot.plot({ ...base, document, marks: marksOf(picture) }).scale('y')
  const labels = placeLabels(picture.points, series, (y) => scale?.apply(y) as number)
  const svg = Plot.plot({ ...base, document, marks: [...marksOf(picture), ...labels] })
  const style = document.createElementNS('http://www.w3.org/2000/svg', 'style')
  style.textContent = STYLE
  svg.append(style)
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  svg.setAttribute('role', 'img')
  svg.setAttribute('aria-label', picture.title)
  return `${svg.outerHTML}\n`
}

const options = ({ points, xLabel, yLabel }: Picture, series: readonly string[]): Plot.PlotOptions => ({
  width: WIDTH,
  height: HEIGHT,
  marginTop: 36,
  marginRight: 270,
  marginBottom: 44,
  marginLeft: 64,
  x: {
    type: 'log',
    label: `${xLabel} →`,
    labelAnchor: 'center',
    ticks: [...new Set(points.map(({ x }) => x))],
    tickFormat: (x: number) => x.toLocaleString('en'),
  },
  y: { type: 'log', label: `↑ ${yLabel}`, grid: true, nice: true, tickFormat: shownPower },
  color: { domain: [...series], range: COLOURS },
})

/** Powers of ten, and two values between them where there is space. */
function shownPower(y: number): string {
  const digit = Math.round(y / 10 ** Math.floor(Math.log10(y) + 1e-9))
  return [1, 2, 5].includes(digit) ? y.toLocaleString('en', { maximumFractionDigits: 6 }) : ''
}

function marksOf({ points, goal }: Picture): Plot.Markish[] {
  const lines = [
    Plot.line([...points], { x: 'x', y: 'y', z: 'series', stroke: 'series', strokeWidth: 2 }),
    Plot.dot([...points], { x: 'x', y: 'y', fill: 'series', r: 4 }),
  ]
  if (goal === undefined) return lines
  const left = Math.min(...points.map(({ x }) => x))
  return [
    Plot.ruleY([goal.y], { stroke: 'currentColor', strokeDasharray: '4 4' }),
    Plot.text([{ x: left, y: goal.y }], {
      x: 'x',
      y: 'y',
      text: () => goal.label,
      textAnchor: 'start',
      dy: -8,
      dx: 8,
      fill: 'currentColor',
    }),
    ...lines,
  ]
}

/** Each curve's name at its right end, moved down where two would overlap. */
function placeLabels(
  points: readonly Point[],
  series: readonly string[],
  pixelOf: (y: number) => number,
): Plot.Markish[] {
  const ends = series
    .map((name) =>
      points
        .filter((point) => point.series === name)
        .sort((a, b) => a.x - b.x)
        .at(-1),
    )
    .filter((point) => point !== undefined)
    .sort((a, b) => pixelOf(a.y) - pixelOf(b.y))
  const right = Math.max(...points.map(({ x }) => x))
  let last = Number.NEGATIVE_INFINITY
  return ends.map((end) => {
    last = Math.max(pixelOf(end.y), last + LABEL_GAP)
    return Plot.text([{ ...end, x: right }], {
      x: 'x',
      y: 'y',
      text: 'series',
      fill: 'series',
      textAnchor: 'start',
      fontWeight: 600,
      dx: 10,
      dy: last - pixelOf(end.y),
    })
  })
}
