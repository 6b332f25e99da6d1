import type { IncomingMessage } from 'node:http'

/** More than any body that is taken, in bytes. Who announces or sends more is hung up on. */
const MOST_BYTES = 1_310_720

/**
 * Reads what is left of a request's body and drops it. An answer that comes before the body is through, on a connection
 * that then ends, breaks it under whoever still sends: the gateway would take a refusal for an outage.
 */
export async function discardRequestBody(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return
  if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) return
  await new Promise<void>((resolve) => {
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MOST_BYTES) resolve()
    })
    for (const end of ['end', 'error', 'close']) request.once(end, () => resolve())
    request.resume()
  })
}
