/** Why a media file cannot be read, now and later: trying again does not help. */
export class UnreadableMediaError extends Error {
  override readonly name = 'UnreadableMediaError'
}

export interface FetchLimits {
  /** Origins that may be asked, such as `https://media.example.com`. */
  origins: readonly string[]
  /** Most bytes of all answers together. */
  bytes: number
  /** Ends every request when it is aborted. */
  signal: AbortSignal
}

const MOST_REDIRECTS = 3

/**
 * A `fetch` that asks listed origins only, also after a redirect, and reads a bounded number of bytes in all. An
 * administrator's address therefore never leads to a private address that the operator has not listed.
 *
 * The promise rejects with {@link UnreadableMediaError} for other origins, too many redirects or bytes, and 4xx.
 */
export function mediaFetch(limits: FetchLimits): typeof fetch {
  let bytesLeft = limits.bytes
  const count = () =>
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        bytesLeft -= chunk.byteLength
        if (bytesLeft < 0) throw new UnreadableMediaError(`more than ${limits.bytes} bytes were needed`)
        controller.enqueue(chunk)
      },
    })
  return async (input, init) => {
    const signal = AbortSignal.any([limits.signal, ...(init?.signal ? [init.signal] : [])])
    let url = new URL(input instanceof Request ? input.url : input)
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
      if (!limits.origins.includes(url.origin)) {
        throw new UnreadableMediaError(`${url.origin} is not among MEDIA_ORIGINS`)
      }
      const response = await fetch(url, { ...init, signal, redirect: 'manual' })
      const location = response.headers.get('location')
      if (response.status < 300 || response.status >= 400 || location === null) {
        return bounded(response, count())
      }
      await response.body?.cancel()
      url = new URL(location, url)
    }
    throw new UnreadableMediaError(`more than ${MOST_REDIRECTS} redirects`)
  }
}

async function bounded(
  response: Response,
  limit: TransformStream<Uint8Array, Uint8Array>,
): Promise<Response> {
  if (response.ok && response.body !== null) {
    const { status, statusText, headers, url } = response
    const copy = new Response(response.body.pipeThrough(limit), { status, statusText, headers })
    // Relative addresses of a playlist are resolved against it.
    Object.defineProperty(copy, 'url', { value: url })
    return copy
  }
  await response.body?.cancel()
  const text = `the media server answered ${response.status}`
  throw response.status >= 500 || response.status === 429 ? new Error(text) : new UnreadableMediaError(text)
}
