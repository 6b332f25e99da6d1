/**
 * Bun's native `publish`: every socket subscribes to one topic, and each message is published to it. Runs under Bun, with
 * the same feed of messages as `server.ts`.
 */
import { type AddressInfo, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { CHAT_TOPIC, frameText } from './messages.ts'

/** The part of Bun's interface that this server uses. */
interface BunServer {
  port: number
  upgrade(request: Request): boolean
  publish(topic: string, text: string): number
}
interface Bun {
  serve(options: {
    hostname: string
    port: number
    fetch(request: Request, server: BunServer): Response | undefined
    websocket: {
      perMessageDeflate: boolean
      open(socket: { subscribe(topic: string): void }): void
      message(): void
    }
  }): BunServer
}

const server = (globalThis as unknown as { Bun: Bun }).Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: (request, self) => (self.upgrade(request) ? undefined : new Response(null, { status: 426 })),
  websocket: {
    perMessageDeflate: false,
    open: (socket) => socket.subscribe(CHAT_TOPIC),
    message: () => undefined,
  },
})
const feed = createServer((socket) =>
  createInterface({ input: socket }).on('line', (line) => server.publish(CHAT_TOPIC, frameText(line))),
)
feed.listen(0, '127.0.0.1', () =>
  process.send?.({ port: server.port, feedPort: (feed.address() as AddressInfo).port }),
)
