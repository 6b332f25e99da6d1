/** How long the response to an early request may be used, in ms after the page was opened. */
const MAX_AGE_MS = 10_000
const TIMEOUT_MS = 15_000
/** How long the first render waits for one, in ms: rendering without it, and once more with it, takes longer. */
const WAIT_MS = 200

/** The requests of the start script by URL; the app, another script, takes their responses from the window. */
type EarlyWindow = Window & { looptideEarly?: Map<string, Promise<Response>> }

/** Requests what the page will show, before the app is loaded: an answer that is the same for everybody. */
export function requestEarly(url: string): Promise<Response> {
  const response = fetch(url, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  // The app, which takes it, handles a failure.
  response.catch(() => undefined)
  const own: EarlyWindow = window
  own.looptideEarly ??= new Map()
  own.looptideEarly.set(url, response)
  return response
}

const earlyAnswers = () =>
  performance.now() < MAX_AGE_MS ? (window as EarlyWindow).looptideEarly : undefined

/** The response to a request of the start script, once; undefined without one. */
export function takeEarly(url: string): Promise<Response> | undefined {
  const response = earlyAnswers()?.get(url)
  earlyAnswers()?.delete(url)
  return response
}

/** The body of a response of the start script, which can still be taken; undefined if there is none soon. */
export async function peekEarly(url: string): Promise<unknown> {
  const response = earlyAnswers()?.get(url)
  if (response === undefined) return undefined
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, WAIT_MS))
  const body = response.then((answer) => (answer.ok ? answer.clone().json() : undefined))
  return Promise.race([body, late]).catch(() => undefined)
}
