import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FEED_PATHS } from '@looptide/contracts/http/guide'
import { LocalProcess, runProgram } from '@looptide/testkit/backing'
import { freePort } from '@looptide/testkit/free-port'
import type { TestUser } from '@looptide/testkit/identity'
import { TcpProxy } from '@looptide/testkit/tcp-proxy'
import { until } from '@looptide/testkit/until'
import { RealtimeClient as Client2_9 } from 'realtime-js-2.9'
import { RealtimeClient as Client2_11 } from 'realtime-js-2.11'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GatewayHarness, startGatewayHarness } from './_harness.ts'
import { RawClient } from './_raw-client.ts'

/** The gateway with the HTTP clients, proxies and old realtime clients that people use. `npm test` obtains the programs. */
let harness: GatewayHarness
let alice: TestUser
let folder: string
const FILE = randomBytes(400_000)

beforeAll(async () => {
  harness = await startGatewayHarness({ TRUST_PROXY: '1', RATE_LIMIT_FACTOR: '100' })
  harness.catalogue.respond = (_request, body) => ({
    status: 200,
    body: { received: Buffer.byteLength(body) },
  })
  alice = await harness.identity.createUser()
  folder = await mkdtemp(join(tmpdir(), 'looptide-clients-'))
  await writeFile(join(harness.config.webRoot, 'test-card/large.mp4'), FILE)
})
afterAll(async () => {
  await harness.close()
  await rm(folder, { recursive: true })
})

const BODY = JSON.stringify({ urls: ['https://youtu.be/aaaaaaaaaaa'] })
const RECEIVED = JSON.stringify({ received: Buffer.byteLength(BODY) })

/** Output of curl: the status of each answer, and the last body. */
async function curl(...args: string[]): Promise<{ statuses: string[]; body: string }> {
  const output = await runProgram('curl', [
    '--silent',
    '--show-error',
    '--write-out',
    '\n%{http_code}\n',
    ...args,
  ])
  const lines = output.trimEnd().split('\n')
  return { statuses: lines.filter((line) => /^\d{3}$/.test(line)), body: lines.at(-2) ?? '' }
}

const python = (script: string, ...args: string[]): Promise<string> =>
  runProgram('python3', ['-c', script, ...args])

describe('curl', () => {
  it('reads pages, feeds and files, several on one connection, also compressed', async () => {
    const urls = ['/', '/robots.txt', '/api/channels/default/now'].map((path) => harness.gateway.url + path)
    const discard = urls.flatMap(() => ['--output', '/dev/null'])
    expect((await curl('--http1.1', ...discard, ...urls)).statuses).toEqual(['200', '200', '200'])
    expect((await curl('--compressed', ...discard, ...urls)).statuses).toEqual(['200', '200', '200'])
  })

  it('sends a body with a length, and in chunks', async () => {
    const url = `${harness.gateway.url}/api/videos`
    const post = ['--header', 'content-type: application/json', '--data', BODY, url]
    expect(await curl(...post)).toEqual({ statuses: ['200'], body: RECEIVED })
    expect(await curl('--header', 'transfer-encoding: chunked', ...post)).toEqual({
      statuses: ['200'],
      body: RECEIVED,
    })
  })
})

describe('Python', () => {
  it('reads and sends with urllib, and with http.client in chunks on one connection', async () => {
    const script = `
import http.client, sys, urllib.request
url, body = sys.argv[1], sys.argv[2].encode()
print(urllib.request.urlopen(url + '/api/channels/default/now').status)
request = urllib.request.Request(url + '/api/videos', body, {'content-type': 'application/json'})
print(urllib.request.urlopen(request).read().decode())
connection = http.client.HTTPConnection(url.split('//')[1])
for _ in range(2):
    connection.request('POST', '/api/videos', iter([body[:5], body[5:]]), {'content-type': 'application/json'}, encode_chunked=True)
    print(connection.getresponse().read().decode())`
    const lines = (await python(script, harness.gateway.url, BODY)).trim().split('\n')
    expect(lines).toEqual(['200', RECEIVED, RECEIVED, RECEIVED])
  })

  it('finds in robots.txt that importers may read the feeds, and that other APIs are not for robots', async () => {
    const script = `
import sys, urllib.robotparser
robots = urllib.robotparser.RobotFileParser(sys.argv[1] + '/robots.txt')
robots.read()
print([robots.can_fetch('Google-Calendar-Importer', path) for path in sys.argv[2:]])`
    const offered = [
      FEED_PATHS.xmltv,
      FEED_PATHS.calendar('default'),
      '/videos/x',
      '/playlists/x',
      '/live?channel=x',
    ]
    const refused = ['/api/videos', '/api/profiles/x', '/auth/v1/user', '/members', '/admin']
    const all = await python(script, harness.gateway.url, ...offered, ...refused)
    expect(all.trim()).toBe(`[${[...offered.map(() => 'True'), ...refused.map(() => 'False')].join(', ')}]`)
  })
})

type OldClient = typeof Client2_9 | typeof Client2_11

/** Joins a topic with a client library, and resolves with the status that the app receives. */
async function joined(Client: OldClient, token: string, topic = 'stream:default'): Promise<string> {
  const client = new Client(harness.realtimeUrl, { params: { apikey: 'looptide-public' } })
  const statuses: string[] = []
  client.connect()
  await client.setAuth(token)
  client.channel(topic).subscribe((status: string) => void statuses.push(status))
  try {
    return await until('the topic is joined or refused', () => statuses[0])
  } finally {
    client.disconnect()
  }
}

describe.each([
  ['2.9', Client2_9],
  ['2.11', Client2_11],
] as const)('realtime-js %s', (_version, Client) => {
  it('joins with an access token', async () => {
    expect(await joined(Client, alice.token)).toBe('SUBSCRIBED')
  })
})

const nginxConf = (port: number, target: number): string => `
daemon off; master_process off; worker_processes 1; error_log stderr; pid ${folder}/nginx.pid;
events { worker_connections 256; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
  upstream gateway { server 127.0.0.1:${target}; keepalive 8; }
  server {
    listen 127.0.0.1:${port} rcvbuf=4k sndbuf=4k;
    location / {
      proxy_pass http://gateway;
      proxy_http_version 1.1;
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
    }
  }
}`

const haproxyConf = (port: number, target: number): string => `
global
  tune.rcvbuf.client 4096
  tune.sndbuf.client 4096
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
  timeout tunnel 1h
  option forwardfor
  http-reuse always
frontend viewers
  bind 127.0.0.1:${port}
  default_backend gateway
backend gateway
  server gateway 127.0.0.1:${target}
`

describe.each([
  ['nginx', nginxConf, (file: string) => ['-c', file, '-e', 'stderr']],
  ['haproxy', haproxyConf, (file: string) => ['-db', '-f', file]],
] as const)('behind %s with small windows', (program, conf, args) => {
  let proxy: LocalProcess
  let url: string
  let line: TcpProxy

  beforeAll(async () => {
    const port = await freePort()
    const file = join(folder, `${program}.conf`)
    await writeFile(file, conf(port, Number(new URL(harness.gateway.url).port)))
    proxy = new LocalProcess({ program, args: args(file), port })
    await proxy.start()
    line = await TcpProxy.to(`http://127.0.0.1:${port}`)
    url = line.via(`http://127.0.0.1:${port}`).replace(/\/$/, '')
  })
  afterAll(async () => {
    await line.stop()
    await proxy.stop()
  })

  it('answers reads and writes on one connection', async () => {
    const reads = ['/', '/api/channels/default/now'].flatMap((path) => ['--output', '/dev/null', url + path])
    expect((await curl(...reads)).statuses).toEqual(['200', '200'])
    const post = ['--header', 'content-type: application/json', '--data', BODY, `${url}/api/videos`]
    expect(await curl(...post)).toEqual({ statuses: ['200'], body: RECEIVED })
  })

  it('sends a file unchanged over a line that loses packets: they arrive late', async () => {
    line.slow({ latencyMs: 20, bytesPerSecond: 1_000_000 })
    const target = join(folder, `${program}.mp4`)
    const download = curl('--output', target, `${url}/test-card/large.mp4`)
    await until('a part has arrived', async () => (await stat(target)).size > 0)
    // Held and delivered later, as by TCP retransmission.
    line.cut('blackHole')
    expect((await curl('--output', '/dev/null', harness.gateway.url)).statuses).toEqual(['200'])
    line.restore()
    expect((await download).statuses).toEqual(['200'])
    expect((await readFile(target)).equals(FILE)).toBe(true)
  })

  it('passes a socket on, whose client joins and is answered after others have come and gone', async () => {
    const socket = await new RawClient(`${url.replace('http', 'ws')}/realtime/v1`).open()
    expect((await socket.join('realtime:stream:default')).status).toBe('ok')
    expect((await curl('--output', '/dev/null', `${url}/`)).statuses).toEqual(['200'])
    await socket.settled()
    socket.close()
  })
})
