import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { gzip, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isNotModified } from './conditional.ts'

const compressInThread = promisify(gzip)

/** A text that is sent to many clients, with its ETag and its lazily compressed form. */
export interface CachedText {
  body: string
  etag: string
  /** The text in UTF-8. Every client is sent this buffer, so that those who do not read share the memory. */
  bytes(): Buffer
  gzipped(): Promise<Buffer>
}

/** Shorter texts are sent uncompressed, in characters. */
const MIN_COMPRESSED_LENGTH = 1400
/**
 * Longer texts, in characters, are compressed in a thread. Shorter ones take less than 1 ms of the event loop; on a busy
 * machine they would wait much longer for a thread. The longest state of a channel, 150 programmes in two hours, has 80,000.
 */
const MAX_INLINE_LENGTH = 98_304
const ACCEPTS_GZIP = /\bgzip\b(?!\s*;\s*q=0(\.0+)?\s*(,|$))/

/** The default ETag is a digest of the text. It is weak, because it is the same for the compressed form. */
export function cachedText(body: string, etag = digestEtag(body)): CachedText {
  let bytes: Buffer | undefined
  let zipped: Promise<Buffer> | undefined
  return {
    body,
    etag,
    bytes: () => {
      bytes ??= Buffer.from(body)
      return bytes
    },
    gzipped: () => {
      zipped ??= body.length <= MAX_INLINE_LENGTH ? Promise.resolve(gzipSync(body)) : compressInThread(body)
      return zipped
    },
  }
}

const digestEtag = (body: string): string =>
  `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`

/** Sends a text, compressed if the client accepts gzip, or 304 if the client has this version. */
export async function sendCachedText(
  request: FastifyRequest,
  reply: FastifyReply,
  text: CachedText,
  contentType: string,
): Promise<FastifyReply> {
  reply.header('vary', 'accept-encoding')
  if (isNotModified(request, reply, text.etag)) return reply.send()
  reply.type(contentType)
  if (!willCompress(request, text.body)) return reply.send(text.bytes())
  return reply.header('content-encoding', 'gzip').send(await text.gzipped())
}

/** Whether a text is sent compressed: the client accepts gzip and the text is long enough. */
export function willCompress(request: Pick<IncomingMessage, 'headers'>, body: string): boolean {
  return body.length >= MIN_COMPRESSED_LENGTH && acceptsGzip(request)
}

/** Whether the client accepts gzip, without regard to its preference among encodings. */
export const acceptsGzip = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  ACCEPTS_GZIP.test(String(headers['accept-encoding'] ?? ''))
