import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface BreachedPasswordService {
  url: string
  /** The requests so far. */
  requests: { path: string; padded: boolean }[]
  /** Response to all requests: ranges, an error, none, or an endless one. */
  mode: 'ranges' | 'error' | 'silent' | 'endless'
  stop(): Promise<void>
}

/** Starts a range service like Pwned Passwords with these passwords. Every range has padding. */
export async function startBreachedPasswords(passwords: readonly string[]): Promise<BreachedPasswordService> {
  const hashes = passwords.map((one) => createHash('sha1').update(one).digest('hex').toUpperCase())
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    service.requests.push({ path, padded: request.headers['add-padding'] === 'true' })
    if (service.mode === 'silent') return
    if (service.mode === 'error') return void response.writeHead(503).end()
    if (service.mode === 'endless') {
      const send = () =>
        void (response.write('0'.repeat(65_536)) ? setImmediate(send) : response.once('drain', send))
      response.on('close', () => response.destroy())
      return send()
    }
    const prefix = path.replace('/range/', '')
    const found = hashes.filter((hash) => hash.startsWith(prefix)).map((hash) => `${hash.slice(5)}:42`)
    const padding = ['0'.repeat(35), 'F'.repeat(35)].map((suffix) => `${suffix}:0`)
    response.end([...found, ...padding].join('\r\n'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const service: BreachedPasswordService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    mode: 'ranges',
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return service
}
