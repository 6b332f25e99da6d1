import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { type PreparedResponse, preparedHead } from './prepared-response.ts'

const MIB = 1_048_576
const MAX_BYTES = 16 * MIB
/** Larger files are read for each request. */
const MAX_FILE_BYTES = MIB
/** Time after which a file is read again, in ms: those without a content hash in their name may be replaced. */
const TTL_MS = 10_000
/** Headers that ask for something else than the whole file. */
const CONDITIONS = ['range', 'if-none-match', 'if-modified-since', 'if-match', 'if-unmodified-since'] as const

interface FileResponse extends PreparedResponse {
  bytes: Buffer
}

/**
 * The files of the web app, each as it was sent last, for whole and unconditional requests. A file from disk costs two
 * `stat`, an `open`, and a read for every 64 KiB; and each of many slow clients would hold bytes of its own, where these
 * are shared.
 */
export class FileResponses {
  readonly #kept = new LRUCache<string, FileResponse>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }) => Math.max(1, bytes.length),
    ttl: TTL_MS,
  })
  readonly #reading = new Map<string, Promise<Buffer>>()

  /** The response to this GET, if it is in memory. */
  find(request: IncomingMessage): PreparedResponse | undefined {
    const key = keyOf(request)
    return key === null ? undefined : this.#kept.get(key)
  }

  /** Keeps the file that a reply is about to send. Returns its bytes; the payload itself when it is not such a file. */
  async keep(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
    const key = request.method === 'GET' && reply.statusCode === 200 ? keyOf(request.raw) : null
    if (key === null || !(payload instanceof Readable)) return payload
    if (!(Number(reply.getHeader('content-length')) <= MAX_FILE_BYTES)) return payload
    const reading = this.#reading.get(key)
    if (reading !== undefined) {
      payload.destroy()
      return reading
    }
    const started = buffer(payload)
    this.#reading.set(key, started)
    try {
      const bytes = await started
      this.#kept.set(key, prepareFile(reply, bytes))
      return bytes
    } finally {
      this.#reading.delete(key)
    }
  }
}

/**
 * The path and the encodings that the client accepts. Null for a request that is not plain. The number of keys is bounded
 * by that of the files: no key has a query or anything else that clients choose.
 */
function keyOf({ url = '', headers }: IncomingMessage): string | null {
  if (/[?%;*]/.test(`${url}${headers['accept-encoding'] ?? ''}`)) return null
  if (CONDITIONS.some((name) => headers[name] !== undefined)) return null
  const accepted = new Set(
    headers['accept-encoding']?.split(',').map((coding) => coding.trim().toLowerCase()),
  )
  return `${['br', 'gzip'].filter((coding) => accepted.has(coding)).join()} ${url}`
}

function prepareFile(reply: FastifyReply, bytes: Buffer): FileResponse {
  const { config, url = '*' } = reply.request.routeOptions
  const head = preparedHead(reply)
  return {
    bytes,
    operation: config.operation ?? 'none',
    route: url,
    limit: undefined,
    write: (_request, response, id) => response.writeHead(200, [...head, 'x-request-id', id]).end(bytes),
  }
}
