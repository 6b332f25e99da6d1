import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { GuardBody, RefusedAttemptsBody } from '@looptide/contracts/http/admin'

/** Stands in for the guard of admin-audit: an HTTP server that allows or refuses, and records the requests. */
export class GuardStub {
  readonly requests: GuardBody[] = []
  refusal: { status: number; code: string } | undefined
  /** Refused admin and moderator actions that were reported. */
  readonly reported: RefusedAttemptsBody['attempts'] = []
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const json: unknown = JSON.parse(Buffer.concat(chunks).toString())
      if (request.url === '/internal/refused-attempts') {
        this.reported.push(...(json as RefusedAttemptsBody).attempts)
        response.setHeader('content-type', 'application/json').end('{}')
        return
      }
      const body = json as GuardBody
      this.requests.push(body)
      const refusal = this.refusal ?? (body.role === 'admin' ? undefined : { status: 403, code: 'forbidden' })
      response.statusCode = refusal?.status ?? 200
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify(
          refusal === undefined ? { allowed: true, remaining: 9 } : { code: refusal.code, message: 'no' },
        ),
      )
    })
  })

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }
}
