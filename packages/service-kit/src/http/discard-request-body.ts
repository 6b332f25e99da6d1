import type { IncomingMessage } from 'node:http'

/** Larger than any accepted body, in bytes. The connection of a client that announces or sends more is closed. */
const MAX_BYTES = 1_310_720

/**
 * Reads and discards the rest of a request's body. If the connection closed before the client had sent its body, the
 * client would get a connection error instead of the response: the gateway would mistake a refusal for an outage.
 */
export async function discardRequestBody(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) return
  await new Promise<void>((resolve) => {
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MAX_BYTES) resolve()
    })
    for (const end of ['end', 'error', 'close']) request.once(end, () => resolve())
    request.resume()
  })
}
