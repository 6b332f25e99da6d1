import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { VideoService } from '../src/features/videos/video-service.ts'
import { type CatalogueHarness, startCatalogue } from './_harness.ts'
import { runJob, undoJob } from './_jobs.ts'
import { someVideos } from './_videos.ts'

let catalogue: CatalogueHarness
let ids: string[]

beforeAll(async () => {
  catalogue = await startCatalogue()
})
afterAll(() => catalogue.close())
beforeEach(async () => {
  await sql`delete from videos`.execute(catalogue.db)
  const videos = someVideos(4)
  ids = videos.map(({ id }) => id)
  await new VideoService(catalogue.db, { rateLimitFactor: 1 }).addResolved(videos, {})
})

const admin = () => ({ as: catalogue.admin })
const edit = (index: number, body: object) =>
  catalogue.call('PATCH', `/api/videos/${ids[index]}`, { ...admin(), body })
const tagsOf = async (index: number) => (await catalogue.call('GET', `/api/videos/${ids[index]}`)).body.tags
const listed = async (query: string) => {
  const { body } = await catalogue.call('GET', `/api/videos?${query}`)
  return { ids: body.items.map(({ id }: { id: string }) => id), total: body.total }
}

describe('tags of a video', () => {
  it('are trimmed, unique without case, published and audited', async () => {
    const answer = await edit(0, { tags: [' Rock', 'rock', '90s'] })
    expect(answer.body.tags).toEqual(['Rock', '90s'])
    const updated = await catalogue.events('catalogue.video.updated.v1')
    expect(updated.at(-1)?.data.video).toMatchObject({ id: ids[0], tags: ['Rock', '90s'] })
    const audits = await catalogue.events('catalogue.audit.recorded.v1')
    expect(audits.at(-1)?.data).toMatchObject({ before: { tags: [] }, after: { tags: ['Rock', '90s'] } })
    const count = audits.length
    expect((await edit(0, { tags: ['Rock', '90s'] })).etag).toBe(answer.etag)
    expect(await catalogue.events('catalogue.audit.recorded.v1')).toHaveLength(count)
  })

  it.each([
    ['more than 20', Array.from({ length: 21 }, (_, index) => `tag ${index}`)],
    ['a blank one', ['rock', ' ']],
    ['one with a comma', ['rock, pop']],
    ['one of 41 characters', ['x'.repeat(41)]],
  ])('are refused with %s', async (_what, tags) => {
    expect((await edit(0, { tags })).body.code).toBe('validation_failed')
  })

  it('are the same in every spelling that looks the same', async () => {
    const { body } = await edit(0, { tags: ['Café', 'Cafe\u0301', '\u200bCAFÉ', '\u202eLive\u202c'] })
    expect(body.tags).toEqual(['Café', 'Live'])
    await edit(1, { tags: ['cafe\u0301'] })
    const { total } = await listed(`tag=${encodeURIComponent('Cafe\u0301')}`)
    expect(total).toBe(2)
    const { items } = (await catalogue.call('GET', '/api/videos/tags', admin())).body
    expect(items).toContainEqual({ tag: 'café', videoCount: 2 })
  })

  it('filter lists and their totals without case, also together with a text or category', async () => {
    await edit(0, { tags: ['Rock', 'Live'] })
    await edit(1, { tags: ['ROCK'], category: 'Classics' })
    expect(await listed('tag=rock&sort=title')).toEqual({ ids: [ids[0], ids[1]], total: 2 })
    expect(await listed('tag=roc')).toEqual({ ids: [], total: 0 })
    expect(await listed('tag=rock&category=Classics')).toEqual({ ids: [ids[1]], total: 1 })
    expect(await listed('tag=rock&q=video%200')).toEqual({ ids: [ids[0]], total: 1 })
    const found = await catalogue.call('GET', '/api/videos/ids?tag=rock&sort=title', admin())
    expect(found.body.items).toEqual([ids[0], ids[1]])
    const known = await catalogue.call('GET', '/api/videos/tags', admin())
    expect(known.body.items).toEqual([
      { tag: 'rock', videoCount: 2 },
      { tag: 'live', videoCount: 1 },
    ])
  })

  it('return with a restored video', async () => {
    await edit(0, { tags: ['Rock'], startAtMs: 5000, endAtMs: 9000 })
    await catalogue.call('DELETE', '/api/videos', { ...admin(), body: { ids: [ids[0]] } })
    await catalogue.call('POST', '/api/videos/restore', { ...admin(), body: { ids: [ids[0]] } })
    const { body } = await catalogue.call('GET', `/api/videos/${ids[0]}`)
    expect(body).toMatchObject({ tags: ['Rock'], startAtMs: 5000, endAtMs: 9000 })
  })
})

describe('a bulk edit of tags', () => {
  const send = (fields: object) => runJob(catalogue, 'edit', { videos: { ids }, fields })

  it('is previewed by tag, adds and removes without case, and is undone', async () => {
    await edit(0, { tags: ['Rock'] })
    await edit(1, { tags: ['rock', 'Old'] })
    const fields = { addTags: ['ROCK', 'Summer'], removeTags: ['old'], genre: 'Pop' }
    const preview = await catalogue.call('POST', '/api/videos/edit-preview', {
      ...admin(),
      body: { videos: { ids }, fields },
    })
    expect(preview.body).toMatchObject({
      count: 4,
      changes: [{ field: 'genre', from: null, count: 4 }],
      tags: [
        { tag: 'Summer', change: 'added', count: 4 },
        { tag: 'ROCK', change: 'added', count: 2 },
        { tag: 'Old', change: 'removed', count: 1 },
      ],
      fullCount: 0,
    })
    const job = await send(fields)
    expect(job).toMatchObject({ state: 'done', changed: 4 })
    expect([await tagsOf(0), await tagsOf(1), await tagsOf(2)]).toEqual([
      ['Rock', 'Summer'],
      ['rock', 'Summer'],
      ['ROCK', 'Summer'],
    ])
    await edit(2, { tags: ['Later'] })
    expect(await undoJob(catalogue, job)).toMatchObject({ changed: 3, failed: 1 })
    expect([await tagsOf(0), await tagsOf(1), await tagsOf(2)]).toEqual([
      ['Rock'],
      ['rock', 'Old'],
      ['Later'],
    ])
  })

  it('leaves a video with 20 tags as it is, and says so', async () => {
    const full = Array.from({ length: 20 }, (_, index) => `tag ${index}`)
    await edit(0, { tags: full })
    const body = { videos: { ids }, fields: { addTags: ['more'] } }
    const preview = await catalogue.call('POST', '/api/videos/edit-preview', { ...admin(), body })
    expect(preview.body).toMatchObject({ count: 3, fullCount: 1 })
    expect(await send(body.fields)).toMatchObject({ done: 4, changed: 3 })
    expect(await tagsOf(0)).toEqual(full)
  })

  it('of a release without tags is undone without touching the tags', async () => {
    await edit(0, { tags: ['Rock'] })
    const job = await send({ genre: 'Pop' })
    await sql`update video_edits set old_tags = null, new_tags = null`.execute(catalogue.db)
    await undoJob(catalogue, job)
    const { body } = await catalogue.call('GET', `/api/videos/${ids[0]}`)
    expect(body).toMatchObject({ genre: null, tags: ['Rock'] })
  })
})

describe('trim points', () => {
  it('are published, and lists show the length that is played', async () => {
    const { body } = await edit(0, { startAtMs: 10_000, endAtMs: 70_500 })
    expect(body).toMatchObject({ startAtMs: 10_000, endAtMs: 70_500, durationMs: 180_000, duration: '1:01' })
    const updated = await catalogue.events('catalogue.video.updated.v1')
    expect(updated.at(-1)?.data.video).toMatchObject({ startAtMs: 10_000, endAtMs: 70_500 })
    expect((await edit(0, { endAtMs: null })).body).toMatchObject({ startAtMs: 10_000, endAtMs: null })
  })

  it.each([
    ['less than a second apart', { startAtMs: 10_000, endAtMs: 10_999 }],
    ['with an end before a second', { endAtMs: 999 }],
    ['with a start in the last second', { startAtMs: 179_001 }],
    ['with an end after the media', { endAtMs: 180_001 }],
  ])('are refused %s', async (_what, body) => {
    expect((await edit(0, body)).body.code).toBe('validation_failed')
  })

  it('stay as they are when the duration turns out to be shorter', async () => {
    await sql`update videos set duration_assumed = true where id = ${ids[0]}`.execute(catalogue.db)
    expect((await edit(0, { startAtMs: 300_000, endAtMs: 310_000 })).status).toBe(200)
    await catalogue.publishEvent('stream.duration.learned.v1', { videoId: ids[0] ?? '', durationMs: 60_000 })
    const { body } = await catalogue.call('GET', `/api/videos/${ids[0]}`)
    expect(body).toMatchObject({ startAtMs: 300_000, endAtMs: 310_000, durationMs: 60_000, duration: '0:01' })
  })
})

describe('an import', () => {
  it('sets tags and trim points, which an export writes', async () => {
    const rows = [
      {
        url: 'https://youtu.be/importtags1',
        tags: ['Rock', 'rock', 'Live'],
        startAtMs: 1500,
        endAtMs: 61_000,
      },
    ]
    const { body } = await catalogue.call('POST', '/api/videos/import', {
      ...admin(),
      body: { rows, dryRun: false },
    })
    expect(body.lines[0].video).toMatchObject({ tags: ['Rock', 'Live'], startAtMs: 1500, endAtMs: 61_000 })
    const response = await fetch(`${catalogue.service.url}/api/videos/export`, {
      method: 'POST',
      headers: { ...catalogue.admin.headers, 'content-type': 'application/json' },
      body: '{}',
    })
    expect(await response.text()).toMatch(/importtags1.*"Rock, Live","0:01\.500","1:01"/)
  })

  it.each([true, false])('refuses trim points less than a second apart, dry run: %s', async (dryRun) => {
    const rows = [{ url: 'https://youtu.be/importtags2', startAtMs: 5000, endAtMs: 5500 }]
    const { body } = await catalogue.call('POST', '/api/videos/import', {
      ...admin(),
      body: { rows, dryRun },
    })
    expect(body.code).toBe('validation_failed')
  })
})
