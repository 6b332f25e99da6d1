// What Chromium 87 lacks of the interfaces that the page's code uses. The build fails if it uses others that are newer, see
// `web/scripts/old-browsers.ts`.
import 'core-js/actual/array/at'
import 'core-js/actual/array/find-last'
import 'core-js/actual/array/to-sorted'
import 'core-js/actual/url/can-parse'

/** The types claim that they always exist. */
const signals = AbortSignal as Partial<Pick<typeof AbortSignal, 'any' | 'timeout'>>

/** Of Chromium 103. */
signals.timeout ??= (ms) => {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), ms)
  return controller.signal
}

/** Of Chromium 116. */
signals.any ??= (given) => {
  const controller = new AbortController()
  for (const signal of given) {
    if (signal.aborted) controller.abort()
    signal.addEventListener('abort', () => controller.abort(), { once: true })
  }
  return controller.signal
}
