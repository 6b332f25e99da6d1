/** A permanent error of a media file: another attempt cannot succeed. */
export class UnreadableMediaError extends Error {
  override readonly name = 'UnreadableMediaError'
}

export interface FetchLimits {
  /** Allowed origins, such as `https://media.example.com`. */
  origins: readonly string[]
  /** Maximum bytes of all response bodies together. */
  bytes: number
  /** Aborts all requests. */
  signal: AbortSignal
}

const MAX_REDIRECTS = 3

/**
 * Returns a `fetch` that is limited to the allowed origins, also after redirects, and to a total number of bytes. A URL
 * entered by an admin therefore cannot reach a private host that the operator has not listed.
 *
 * The promise rejects with {@link UnreadableMediaError} for other origins, too many redirects or bytes, and 4xx.
 */
export function mediaFetch(limits: FetchLimits): typeof fetch {
  let bytesLeft = limits.bytes
  const countBytes = () =>
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        bytesLeft -= chunk.byteLength
        if (bytesLeft < 0)
          throw new UnreadableMediaError(`the duration needs more than ${limits.bytes} bytes`)
        controller.enqueue(chunk)
      },
    })
  return async (input, init) => {
    const signal = AbortSignal.any([limits.signal, ...(init?.signal ? [init.signal] : [])])
    let url = new URL(input instanceof Request ? input.url : input)
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      if (!limits.origins.includes(url.origin)) {
        throw new UnreadableMediaError(`${url.origin} is not in MEDIA_ORIGINS`)
      }
      const response = await fetch(url, { ...init, signal, redirect: 'manual' })
      const location = response.headers.get('location')
      if (response.status < 300 || response.status >= 400 || location === null) {
        return limitBody(response, countBytes())
      }
      await response.body?.cancel()
      url = new URL(location, url)
    }
    throw new UnreadableMediaError(`more than ${MAX_REDIRECTS} redirects`)
  }
}

async function limitBody(
  response: Response,
  limit: TransformStream<Uint8Array, Uint8Array>,
): Promise<Response> {
  if (response.ok && response.body !== null) {
    const { status, statusText, headers, url } = response
    const copy = new Response(response.body.pipeThrough(limit), { status, statusText, headers })
    // The base of relative URLs in an HLS playlist.
    Object.defineProperty(copy, 'url', { value: url })
    return copy
  }
  await response.body?.cancel()
  const text = `media server responded with status ${response.status}`
  throw response.status >= 500 || response.status === 429 ? new Error(text) : new UnreadableMediaError(text)
}
