import { ThrottledError } from './outcome.ts'

const TIMEOUT_MS = 10_000
/** A watch page is about 1.5 MB. */
const MOST_BYTES = 8_388_608
const DEFAULT_RETRY_AFTER_MS = 5000

/** The answer to one question, read whole but for what is too long to be an answer. */
export interface YoutubeAnswer {
  status: number
  text: string
}

/**
 * Asks YouTube over HTTP. Answers of 4xx are answers; 429 is a {@link ThrottledError}, 5xx, a broken
 * connection and silence for 10 s are thrown as passing faults.
 */
export async function askYoutube(url: URL, headers: Record<string, string> = {}): Promise<YoutubeAnswer> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (response.status === 429) throw new ThrottledError(retryAfterMs(response.headers.get('retry-after')))
  if (response.status >= 500) {
    await response.body?.cancel()
    throw new Error(`YouTube answered ${response.status}`)
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
    if (bytes > MOST_BYTES) throw new Error('YouTube’s answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
