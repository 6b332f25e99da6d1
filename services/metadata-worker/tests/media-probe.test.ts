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
import { startWorkerHarness, type WorkerHarness } from './_harness.ts'

const CLIPS = fileURLToPath(new URL('../../../web/public/test-card', import.meta.url))
const HLS = fileURLToPath(new URL('../../../e2e/support/hls', import.meta.url))
const MEGABYTE = Buffer.alloc(1_048_576)

/** Bytes sent by both test servers. */
let sentBytes = 0

/** Serves clips with range requests, and paths that misbehave. `otherOrigin` is the origin of another server. */
function serve(otherOrigin: () => string): Promise<Server> {
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    response.on('finish', () => {
      sentBytes += Number(response.getHeader('content-length') ?? 0)
    })
    const redirect = (to: string) => response.writeHead(302, { location: to }).end()
    if (path === '/redirect-out.mp4') redirect(`${otherOrigin()}/test-card/rings.mp4`)
    else if (path === '/redirect.mp4') redirect('/test-card/rings.mp4')
    else if (path === '/loop.mp4') redirect('/loop.mp4')
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
    ['/redirect.mp4', 50_000],
    ['/hls/clip.m3u8', 20_000],
  ])('has a readable duration: %s', async (path, durationMs) => {
    expect(Math.abs((await probe(path)) - durationMs)).toBeLessThan(100)
  })

  it.each([
    ['an origin that is not listed', () => probeDuration(new URL(`${originOf(unlisted)}/rings.mp4`), [])],
    ['a redirect to an origin that is not listed', () => probe('/redirect-out.mp4')],
    ['a redirect loop', () => probe('/loop.mp4')],
    ['a file that does not exist', () => probe('/test-card/none.mp4')],
    ['a file of another format', () => probe('/text.mp4')],
    ['an endless file', () => probe('/endless.mp4')],
  ])('fails permanently: %s', async (_what, attempt) => {
    const before = sentBytes
    await expect(attempt()).rejects.toThrow(UnreadableMediaError)
    expect(sentBytes - before).toBeLessThan(64 * MEGABYTE.length)
  })

  it('fails transiently when its server responds with 503', async () => {
    const error = await probe('/busy.mp4').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(UnreadableMediaError)
  })
})

describe('the worker', () => {
  let harness: WorkerHarness
  beforeAll(async () => {
    harness = await startWorkerHarness({ SITE_URL: originOf(listed), MEDIA_ORIGINS: '' })
  })
  afterAll(() => harness.close())

  it('publishes durations of files of the site, and fetches from no other origin', async () => {
    const [own, foreign] = [randomUUID(), randomUUID()]
    const path = '/test-card/rings.mp4'
    const envelope: Envelope<'catalogue.probe.requested.v1'> = {
      id: randomUUID(),
      type: 'catalogue.probe.requested.v1',
      occurredAt: new Date().toISOString(),
      actorId: null,
      correlationId: null,
      aggregateId: own,
      aggregateVersion: 1,
      data: {
        media: [
          { videoId: foreign, url: `${originOf(unlisted)}/test-card/rings.mp4` },
          { videoId: own, url: path },
        ],
      },
    }
    await storeEvent(harness.nats, envelope)
    const [event, ...others] = await harness.waitForEvents('metadata.media.probed.v1', 1)
    expect(event?.data).toMatchObject({ videoId: own, url: path })
    expect(others).toEqual([])
  })
})
