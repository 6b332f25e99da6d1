import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The guard of admin-audit: every check is answered with `answer`. */
export interface GuardStub {
  url: string
  answer: { status: number; body: object }
  stop(): void
}

export async function startGuardStub(): Promise<GuardStub> {
  const stub: GuardStub = {
    url: '',
    answer: { status: 200, body: { allowed: true, remaining: 9 } },
    stop: () => server.close(),
  }
  const server = createServer((_request, response) => {
    response.writeHead(stub.answer.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(stub.answer.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stub.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return stub
}
