import { ThrottledError } from './outcome.ts'

const TIMEOUT_MS = 10_000
/** Maximum size of a response. A watch page has about 1.5 MB. */
const MAX_BYTES = 8_388_608
const DEFAULT_RETRY_AFTER_MS = 5000

export interface YoutubeResponse {
  status: number
  text: string
}

/**
 * Sends a GET request to YouTube and reads the response. Throws {@link ThrottledError} for status 429, and transient
 * errors for 5xx, a broken connection and a timeout of 10 s. Other 4xx responses are returned.
 */
export async function fetchYoutube(url: URL, headers: Record<string, string> = {}): Promise<YoutubeResponse> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (response.status === 429) throw new ThrottledError(retryAfterMs(response.headers.get('retry-after')))
  if (response.status >= 500) {
    await response.body?.cancel()
    throw new Error(`YouTube responded with status ${response.status}`)
  }
  return { status: response.status, text: await readBounded(response) }
}

function retryAfterMs(header: string | null): number {
  const seconds = Number(header)
  return header !== null && Number.isFinite(seconds) && seconds >= 0
    ? Math.min(seconds * 1000, 3_600_000)
    : DEFAULT_RETRY_AFTER_MS
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_BYTES) throw new Error('YouTube’s response is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
