import { createServer } from 'node:net'
import { Failure } from './failure.ts'

// Below the range from which the kernel lends ports to outgoing connections (Linux: 32768, macOS: 49152), so
// that a server that is killed finds its port free when it comes back.
const lowest = 15_000
const highest = 32_000
const attempts = 200

/** A TCP port on loopback that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest))
    if (await isFree(port)) return port
  }
  throw new Failure('No free port was found on this machine: stop some of the servers that run here.')
}

/** Whether a server may listen on `port`, by both of the addresses that `localhost` stands for. */
export async function isFree(port: number): Promise<boolean> {
  return (await canListen(port, '127.0.0.1')) && (await canListen(port, '::1'))
}

function canListen(port: number, host: string): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    // A machine without IPv6 has no ::1 that somebody else could hold.
    server.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code !== 'EADDRINUSE' && error.code !== 'EACCES'),
    )
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
}
