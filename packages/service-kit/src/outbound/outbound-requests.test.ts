import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { isAllowedAddress } from './allowed-address.ts'
import {
  describeFailure,
  MAX_ANSWER_BYTES,
  type OutboundOptions,
  OutboundRequests,
  RefusedTargetError,
} from './outbound-requests.ts'

const LOOPBACK = ['127.0.0.0/8', '::1/128']
const outbound = (options: Partial<OutboundOptions> = {}): OutboundRequests =>
  new OutboundRequests({
    ...{ allowedNetworks: [], allowsHttp: true, siteUrl: 'https://station.example', ...options },
  })

/** IPv4 networks without hosts of the internet (RFC 6890 and others). */
const FORBIDDEN_IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4', '168.63.129.16/32'],
]

const numberOf = (dotted: string): number =>
  dotted.split('.').reduce((value, part) => value * 256 + Number(part), 0)
const dottedOf = (value: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.')

/** An address of one of these networks, as a number. */
const addressIn = (networks: readonly string[]): fc.Arbitrary<number> =>
  fc.constantFrom(...networks).chain((network) => {
    const [base = '', bits = ''] = network.split('/')
    return fc.integer({ min: 0, max: 2 ** (32 - Number(bits)) - 1 }).map((host) => numberOf(base) + host)
  })

/** The notations of an IPv4 address that URLs accept, and the IPv6 addresses that contain it. */
function notationsOf(value: number): string[] {
  const dotted = dottedOf(value)
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number)
  const hex = (part: number): string => part.toString(16)
  const [high, low] = [hex(a * 256 + b), hex(c * 256 + d)]
  return [
    ...[dotted, `${dotted}.`, String(value), `0x${hex(value)}`, `0${value.toString(8)}`],
    ...[`${a}.${b}.${c * 256 + d}`, `${a}.${value % 2 ** 24}`],
    [a, b, c, d].map((part) => `0x${hex(part)}`).join('.'),
    [a, b, c, d].map((part) => `0${part.toString(8)}`).join('.'),
    ...[`[::ffff:${dotted}]`, `[::ffff:${high}:${low}]`, `[::${dotted}]`, `[0:0:0:0:0:ffff:${high}:${low}]`],
    // NAT64, also of local networks, and 6to4.
    ...[`[64:ff9b::${dotted}]`, `[64:ff9b:1::${high}:${low}]`, `[2002:${high}:${low}::1]`],
    // Digits of other scripts, which a URL's host is mapped from.
    dotted.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  ]
}

describe('the address of a URL', () => {
  it('of the private network is refused in every notation', () => {
    fc.assert(
      fc.property(addressIn(FORBIDDEN_IPV4), (value) => {
        for (const host of notationsOf(value))
          expect([host, outbound().faultOf(`http://${host}/`)]).toEqual([host, expect.any(String)])
      }),
    )
  })

  it.each([
    ...['::', '::1', 'fc00::1', 'fd12:3456::1', 'fe80::1', 'fec0::1', 'ff02::1', '2001:db8::1', '2001::1'],
    ...['100::1', '3fff::1', '5f00::1', '64:ff9b::808:808', '64:ff9b:1::1', '2002:808:808::1', '4000::1'],
  ])('%s is refused', (address) => {
    expect(outbound().faultOf(`https://[${address}]/`)).toBeDefined()
    expect(isAllowedAddress(address, [])).toBe(false)
  })

  it.each(['8.8.8.8', '1.1.1.1', '172.15.0.1', '[2001:4860:4860::8888]', '[::ffff:8.8.8.8]', '134744072'])(
    '%s is allowed',
    (host) => {
      expect(outbound().faultOf(`https://${host}/`)).toBeUndefined()
    },
  )

  it.each([
    ...['ftp://example.com/', 'file:///etc/passwd', 'data:text/plain,x', 'gopher://example.com/', 'x'],
    ...['https://user@example.com/', 'https://:secret@example.com/', 'https://station.example./hook'],
    ...['https://example.com:22/', 'https://example.com:25/', 'https://example.com:80/', 'https://a:6379@b/'],
    ...['https://example.com:6667/', 'https://STATION.example/hook'],
  ])('%s is refused', (url) => {
    expect(outbound().faultOf(url)).toBeDefined()
  })

  it('needs TLS outside development', () => {
    expect(outbound({ allowsHttp: false }).faultOf('http://example.com/')).toBe(
      'The address must start with https://.',
    )
    expect(outbound({ allowsHttp: false }).faultOf('https://example.com:8443/')).toBeUndefined()
  })

  it('is not that of the station, whose URL may be an address, in any notation or by any name', async () => {
    const guarded = outbound({ siteUrl: 'https://8.8.8.8', resolve: async () => ['8.8.8.8'] })
    for (const host of notationsOf(numberOf('8.8.8.8')))
      expect([host, guarded.faultOf(`https://${host}:8443/`)]).toEqual([host, expect.any(String)])
    await expect(guarded.post('https://alias.example:8443/', {}, '')).rejects.toThrow(RefusedTargetError)
    expect(outbound({ siteUrl: 'https://[2001:4860::1]' }).faultOf('https://[2001:4860:0::1]/')).toBeDefined()
    const named = outbound({ siteUrl: 'http://10.1.2.3:8080', allowedNetworks: ['10.1.0.0/16'] })
    expect(named.faultOf('http://10.1.2.3:9000/')).toBeUndefined()
  })

  it('is not that of the station, whose URL is a name, by another name or by itself', async () => {
    const addresses: Record<string, string[]> = {
      'station.example': ['8.8.8.8', '2001:4860::8'],
      'alias.example': ['::ffff:8.8.8.8'],
      'both.example': ['1.1.1.1', '2001:4860:0::8'],
    }
    const resolve = async (name: string) => addresses[name] ?? []
    const guarded = outbound({ resolve })
    for (const host of ['alias.example', 'both.example', '8.8.8.8', '134744072', '[2001:4860::8]'])
      await expect(guarded.post(`https://${host}:8443/`, {}, '')).rejects.toThrow(
        'This is the address of the station.',
      )
  })

  it('may be in a network that the operator names, and only there', () => {
    const guarded = outbound({ allowedNetworks: ['10.1.0.0/16', 'fd00::/16'] })
    expect(guarded.faultOf('https://10.1.2.3/')).toBeUndefined()
    expect(guarded.faultOf('https://[::ffff:10.1.2.3]/')).toBeUndefined()
    expect(guarded.faultOf('https://[fd00::7]/')).toBeUndefined()
    for (const host of ['10.2.0.1', '[fd01::7]', '127.0.0.1'])
      expect(guarded.faultOf(`https://${host}/`)).toBeDefined()
  })
})

describe('a request', () => {
  const servers: (Server | TcpServer)[] = []
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      if ('closeAllConnections' in server) server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  })

  const serve = async (handle: RequestListener): Promise<string> => portOf(createServer(handle))
  const portOf = async (server: Server | TcpServer): Promise<string> => {
    servers.push(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return String((server.address() as AddressInfo).port)
  }
  const post = (requests: OutboundRequests, url: string) => requests.post(url, { 'x-test': '1' }, 'body')

  it('to a name with a private address is refused before anything is sent', async () => {
    let requests = 0
    const port = await serve((_request, response) => {
      requests += 1
      response.end()
    })
    for (const answer of [
      ['127.0.0.1'],
      ['8.8.8.8', '127.0.0.1'],
      ['::1'],
      ['::ffff:7f00:1'],
      ['169.254.169.254'],
    ]) {
      const guarded = outbound({ resolve: async () => answer })
      await expect(post(guarded, `http://receiver.example:${port}/`)).rejects.toThrow(RefusedTargetError)
    }
    expect(requests).toBe(0)
  })

  it.each(['localhost', 'localhost.', 'sub.localhost', 'postgres'])(
    'to %s is refused or finds no host, with the name servers of this machine',
    async (host) => {
      const port = await serve((_request, response) => response.end())
      await expect(post(outbound(), `http://${host}:${port}/`)).rejects.toThrow()
    },
  )

  it('connects to the address that was checked, whatever the next look-up says', async () => {
    const port = await serve((_request, response) => response.end('first'))
    const answers = [['127.0.0.1'], ['127.0.0.2']]
    const names: string[] = []
    const guarded = outbound({
      allowedNetworks: ['127.0.0.1/32'],
      resolve: async (name) => {
        names.push(name)
        return answers.shift() ?? []
      },
    })
    expect(await post(guarded, `http://receiver.example:${port}/`)).toMatchObject({ text: 'first' })
    expect(names).toEqual(['receiver.example'])
    await expect(post(guarded, `http://receiver.example:${port}/`)).rejects.toThrow(RefusedTargetError)
  })

  it('does not follow redirects', async () => {
    let requests = 0
    const port = await serve((_request, response) => {
      requests += 1
      response.writeHead(302, { location: `http://127.0.0.1:${port}/secret` }).end()
    })
    const guarded = outbound({ allowedNetworks: LOOPBACK })
    expect(await post(guarded, `http://127.0.0.1:${port}/`)).toMatchObject({ status: 302 })
    expect(requests).toBe(1)
  })

  it('sends no header but those given and those of HTTP', async () => {
    let received: string[] = []
    const port = await serve((request, response) => {
      received = Object.keys(request.headers)
      response.end()
    })
    await post(outbound({ allowedNetworks: LOOPBACK }), `http://127.0.0.1:${port}/`)
    expect(received.toSorted()).toEqual(['connection', 'content-length', 'host', 'x-test'])
  })

  it('reads the start of an answer without end', async () => {
    const port = await serve((_request, response) => {
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      }
      response.on('drain', write)
      write()
    })
    const { status, text } = await post(outbound({ allowedNetworks: LOOPBACK }), `http://127.0.0.1:${port}/`)
    expect([status, text.length]).toEqual([200, MAX_ANSWER_BYTES])
  })

  it.each<[string, RequestListener, string, number?]>([
    ['that is not answered', () => undefined, 'No complete answer within 10 seconds.'],
    [
      'whose answer does not end',
      (_request, response) => void response.write('x'),
      'No complete answer within 10 seconds.',
    ],
    [
      'that is reset',
      (request) => request.socket.resetAndDestroy(),
      'The connection failed (ECONNRESET).',
      10_000,
    ],
  ])('%s fails with a reason', async (_what, handle, reason, timeoutMs = 200) => {
    const port = await serve(handle)
    const guarded = outbound({ allowedNetworks: LOOPBACK, timeoutMs })
    const failure = await post(guarded, `http://127.0.0.1:${port}/`).then(
      () => undefined,
      (error: unknown) => describeFailure(error),
    )
    expect(failure).toBe(reason)
  })

  it('that is answered by something else than HTTP fails with a reason', async () => {
    const port = await portOf(createTcpServer((socket) => socket.resume().end('+PONG\r\n')))
    const failure = await post(outbound({ allowedNetworks: LOOPBACK }), `http://127.0.0.1:${port}/`).then(
      () => undefined,
      (error: unknown) => describeFailure(error),
    )
    expect(failure).toBe('The answer is not HTTP.')
  })
})
