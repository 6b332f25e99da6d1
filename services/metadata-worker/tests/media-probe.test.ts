import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import sendFile from '@fastify/send'
import type { Envelope } from '@looptide/contracts/events'
import { storeEvent } from '@looptide/testkit/event-keys'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UnreadableMediaError } from '../src/media/media-fetch.ts'
import { probeDuration } from '../src/media/probe-duration.ts'
import { type Bench, startBench } from './_worker.ts'

const CLIPS = fileURLToPath(new URL('../../../web/public/test-card', import.meta.url))
const HLS = fileURLToPath(new URL('../../../e2e/support/hls', import.meta.url))
const MEGABYTE = Buffer.alloc(1_048_576)

/** What each test server has sent, in bytes. */
let sent = 0

/** Serves clips by ranges, and addresses that misbehave. `elsewhere` is another server's origin. */
function serve(elsewhere: () => string): Promise<Server> {
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    response.on('finish', () => {
      sent += Number(response.getHeader('content-length') ?? 0)
    })
    const redirect = (to: string) => response.writeHead(302, { location: to }).end()
    if (path === '/away.mp4') redirect(`${elsewhere()}/test-card/rings.mp4`)
    else if (path === '/near.mp4') redirect('/test-card/rings.mp4')
    else if (path === '/round.mp4') redirect('/round.mp4')
    else if (path === '/text.mp4') response.end('<!doctype html><p>No film here.')
    else if (path === '/busy.mp4') response.writeHead(503).end()
    else if (path === '/endless.mp4') {
      response.on('drain', () => response.write(MEGABYTE))
      response.write(MEGABYTE)
    } else {
      const [root, file] = path.startsWith('/hls/') ? [HLS, path.slice(4)] : [CLIPS, path.slice(10)]
      void sendFile(request, file, { root }).then(({ statusCode, headers, stream }) => {
        response.writeHead(statusCode, headers)
        stream.pipe(response)
      })
    }
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

const originOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

let listed: Server
let unlisted: Server
beforeAll(async () => {
  unlisted = await serve(() => '')
  listed = await serve(() => originOf(unlisted))
})
afterAll(() => {
  for (const server of [listed, unlisted]) {
    server.closeAllConnections()
    server.close()
  }
})

const probe = (path: string) => probeDuration(new URL(path, originOf(listed)), [originOf(listed)])

describe('a media file', () => {
  it.each([
    ['/test-card/rings.mp4', 50_000],
    ['/near.mp4', 50_000],
    ['/hls/clip.m3u8', 20_000],
  ])('%s tells its duration', async (path, durationMs) => {
    expect(Math.abs((await probe(path)) - durationMs)).toBeLessThan(100)
  })

  it.each([
    ['an origin that is not listed', () => probeDuration(new URL(`${originOf(unlisted)}/rings.mp4`), [])],
    ['a redirect to an origin that is not listed', () => probe('/away.mp4')],
    ['redirects without end', () => probe('/round.mp4')],
    ['a file that does not exist', () => probe('/test-card/none.mp4')],
    ['a file that is no film', () => probe('/text.mp4')],
    ['a file without end', () => probe('/endless.mp4')],
  ])('is given up for good: %s', async (_what, attempt) => {
    const before = sent
    await expect(attempt()).rejects.toThrow(UnreadableMediaError)
    expect(sent - before).toBeLessThan(64 * MEGABYTE.length)
  })

  it('is tried again when its server is busy', async () => {
    const error = await probe('/busy.mp4').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(UnreadableMediaError)
  })
})

describe('the worker', () => {
  let bench: Bench
  beforeAll(async () => {
    bench = await startBench({ SITE_URL: originOf(listed), MEDIA_ORIGINS: '' })
  })
  afterAll(() => bench.close())

  it('answers with the durations of files of the site, and asks no other origin', async () => {
    const [mine, foreign] = [randomUUID(), randomUUID()]
    const path = '/test-card/rings.mp4'
    const envelope: Envelope<'catalogue.probe.requested.v1'> = {
      id: randomUUID(),
      type: 'catalogue.probe.requested.v1',
      occurredAt: new Date().toISOString(),
      actorId: null,
      correlationId: null,
      aggregateId: mine,
      aggregateVersion: 1,
      data: {
        media: [
          { videoId: foreign, url: `${originOf(unlisted)}/test-card/rings.mp4` },
          { videoId: mine, url: path },
        ],
      },
    }
    await storeEvent(bench.nats, envelope)
    const [event, ...others] = await bench.eventually('metadata.media.probed.v1', 1)
    expect(event?.data).toMatchObject({ videoId: mine, url: path })
    expect(others).toEqual([])
  })
})
