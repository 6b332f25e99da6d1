import type { Page } from '@playwright/test'

/** What a page has recorded since its navigation; instants in ms after it. */
export interface Vitals {
  /** Largest and first contentful paint. */
  lcpMs: number
  fcpMs: number
  /** An image in the page is decoded, one of the gateway's page included; null without any. */
  pictureMs: number | null
  /** Compressed JavaScript that was received completely until the largest paint, and until now. */
  scriptKbByLcp: number
  scriptKb: number
  /** Largest session window of layout shifts (web.dev/articles/cls). */
  cls: number
  /** What moved in the largest shift: its class names, and its place before and after. */
  movedElement: string
  /** Duration of the slowest interaction so far; null before the first. */
  inpMs: number | null
  /** The element of the largest paint. */
  lcpElement: string
  /** Requests so far: no further one for a while means that the page is idle. */
  requests: number
}

interface Recording {
  lcpMs: number
  lcpElement: string
  pictureMs: number | null
  shifts: { atMs: number; value: number; moved: string }[]
  inpMs: number | null
}

/** https://wicg.github.io/layout-instability; TypeScript does not know it. */
interface LayoutShift extends PerformanceEntry {
  value: number
  hadRecentInput: boolean
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
}

type RecordingWindow = Window & { looptideVitals: Recording }

/** Records from the next navigation of the page on. */
export const addRecorder = (page: Page): Promise<unknown> => page.addInitScript(record)

/** Runs in the page. */
function record(): void {
  const seen: Recording = { lcpMs: 0, lcpElement: '', pictureMs: null, shifts: [], inpMs: null }
  ;(window as unknown as RecordingWindow).looptideVitals = seen
  const observe = <E extends PerformanceEntry>(type: string, note: (entry: E) => void, options = {}) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) note(entry as E)
    }).observe({ type, buffered: true, ...options })
  observe<PerformanceEntry & { element: Element | null; url: string }>(
    'largest-contentful-paint',
    ({ startTime, element, url }) => {
      seen.lcpMs = startTime
      seen.lcpElement = `${element?.localName ?? 'removed element'} ${url.split('/').at(-1)}`.trim()
    },
  )
  const placeOf = ({ x, y, width, height }: DOMRectReadOnly) =>
    [x, y, width, height].map(Math.round).join(' ')
  observe<LayoutShift>('layout-shift', ({ startTime, value, hadRecentInput, sources: [source] }) => {
    if (hadRecentInput || !source) return
    const element = source.node instanceof Element ? source.node : source.node?.parentElement
    const name = element?.outerHTML.slice(0, 90) ?? 'removed element'
    const moved = `${name}: ${placeOf(source.previousRect)} to ${placeOf(source.currentRect)}`
    seen.shifts.push({ atMs: startTime, value, moved })
  })
  observe<PerformanceEventTiming & { interactionId: number }>(
    'event',
    ({ interactionId, duration }) => {
      if (interactionId > 0) seen.inpMs = Math.max(seen.inpMs ?? 0, duration)
    },
    { durationThreshold: 16 },
  )
  const look = () => {
    const isDecoded = [...document.images].some((image) => image.complete && image.naturalWidth > 1)
    if (isDecoded) seen.pictureMs = performance.now()
    else requestAnimationFrame(look)
  }
  look()
}

/** The vitals of a page with a recorder. */
export function readVitals(page: Page): Promise<Vitals> {
  return page.evaluate(() => {
    const seen = (window as unknown as RecordingWindow).looptideVitals
    const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const scripts = resources.filter(({ name }) => name.endsWith('.js'))
    const kb = (files: PerformanceResourceTiming[]) =>
      files.reduce((bytes, { encodedBodySize }) => bytes + encodedBodySize, 0) / 1000
    let [cls, sum, startMs, lastMs] = [0, 0, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (const { atMs, value } of seen.shifts) {
      if (atMs - lastMs > 1000 || atMs - startMs > 5000) [sum, startMs] = [0, atMs]
      lastMs = atMs
      sum += value
      cls = Math.max(cls, sum)
    }
    return {
      lcpMs: seen.lcpMs,
      lcpElement: seen.lcpElement,
      fcpMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      pictureMs: seen.pictureMs,
      scriptKbByLcp: kb(scripts.filter(({ responseEnd }) => responseEnd > 0 && responseEnd <= seen.lcpMs)),
      scriptKb: kb(scripts),
      cls,
      movedElement: seen.shifts.toSorted((a, b) => b.value - a.value)[0]?.moved ?? '',
      inpMs: seen.inpMs,
      requests: resources.length,
    }
  })
}
