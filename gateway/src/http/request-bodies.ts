import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '@looptide/service-kit/http/app'
import { answerClientError } from '@looptide/service-kit/http/client-error'
import type { ClientNetwork } from '@looptide/service-kit/limits/client-network'
import type { ClientReader } from '../limits/client-reader.ts'
import type { Transfer, Transfers } from '../limits/transfers.ts'

/** Memory of a request beside its body, in bytes. It bounds the number of requests whose bodies never arrive. */
const REQUEST_BYTES = 16_384
/** Time after an answer in which the client may complete its body, in ms. Then the connection is closed. */
const LINGER_MS = 2000

/**
 * Bounds the time and memory of request bodies, whatever becomes of the request: each must arrive at a minimum rate, and
 * counts against its network from its headers to its answer.
 */
export function limitRequestBodies(app: App, bodies: Transfers, clients: ClientReader): void {
  const incoming = new WeakMap<IncomingMessage, IncomingBody>()
  app.addHook('onRequest', ({ raw }, reply, done) => {
    if (hasBody(raw)) {
      const body = new IncomingBody(raw, reply.raw, clients.networkOf(raw))
      incoming.set(raw, body)
      bodies.hold(body, REQUEST_BYTES)
      reply.raw.once('close', () => {
        bodies.end(body)
        closeUnlessComplete(raw)
      })
    }
    done()
  })
  // The parsers add their listeners in the same tick, so that none of them misses a chunk.
  app.addHook('preParsing', ({ raw }, _reply, payload, done) => {
    const body = incoming.get(raw)
    if (body !== undefined) {
      let bytes = REQUEST_BYTES
      payload.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (!body.isOver) bodies.hold(body, bytes)
      })
    }
    done(null, payload)
  })
}

/** Whether the headers announce a body of at least one byte, or of unknown length. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** The rest of a body that nobody reads would otherwise be received for as long as the client sends. */
function closeUnlessComplete(request: IncomingMessage): void {
  if (request.complete || request.socket.destroyed) return
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy()
  }, LINGER_MS)
  timer.unref()
}

/** A request's body, until the request is answered. */
class IncomingBody implements Transfer {
  readonly client: ClientNetwork
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #bytesBefore: number

  constructor(request: IncomingMessage, response: ServerResponse, client: ClientNetwork) {
    this.client = client
    this.#request = request
    this.#response = response
    this.#bytesBefore = request.socket.bytesRead
  }

  get movedBytes(): number | null {
    const { complete, socket } = this.#request
    return complete ? null : socket.bytesRead - this.#bytesBefore
  }

  get isOver(): boolean {
    return this.#request.socket.destroyed || this.#response.writableFinished
  }

  close(): void {
    const { socket } = this.#request
    // While an answer is being sent, a second one would be part of its body.
    const mayAnswer = this.#response.socket !== null && !this.#response.headersSent
    if (mayAnswer) answerClientError(tooSlow(), socket)
    else socket.destroy()
  }
}

/** The error that Node emits for a request that does not arrive in time. */
const tooSlow = (): Error => Object.assign(new Error('request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
