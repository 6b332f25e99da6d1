import { MAX_SAVED_FILTERS } from '@looptide/contracts/http/video-filters'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type CatalogueHarness, startCatalogue } from './_harness.ts'

let catalogue: CatalogueHarness
beforeAll(async () => {
  catalogue = await startCatalogue()
})
afterAll(() => catalogue.close())
beforeEach(async () => {
  await sql`delete from video_filters`.execute(catalogue.db)
})

const FILTER = { text: 'live', category: 'Classics', tag: 'Rock', sort: 'title' }
const create = (name: string, filter: object = FILTER) =>
  catalogue.call('POST', '/api/videos/filters', { as: catalogue.admin, body: { name, filter } })
const list = async () =>
  (await catalogue.call('GET', '/api/videos/filters', { as: catalogue.admin })).body.items as {
    name: string
  }[]

it('a filter is saved, renamed, replaced and deleted, each time audited', async () => {
  const created = await create('  Live   rock ')
  expect(created.status).toBe(201)
  expect(created.body).toMatchObject({ name: 'Live rock', filter: FILTER })
  const path = `/api/videos/filters/${created.body.id}`
  const change = (body: object) => catalogue.call('PATCH', path, { as: catalogue.admin, body })
  expect((await change({ name: 'live ROCK' })).body).toMatchObject({ name: 'live ROCK', filter: FILTER })
  const filter = { text: '', category: null, tag: null, sort: 'newest' }
  expect((await change({ filter })).body).toMatchObject({ name: 'live ROCK', filter })
  expect((await catalogue.call('DELETE', path, { as: catalogue.admin })).status).toBe(204)
  expect((await catalogue.call('DELETE', path, { as: catalogue.admin })).status).toBe(404)
  expect((await change({ name: 'Gone' })).status).toBe(404)
  const audits = (await catalogue.events('catalogue.audit.recorded.v1')).map(({ data }) => data)
  expect(audits).toMatchObject([
    { action: 'video_filter.create', before: null, after: { name: 'Live rock' } },
    { action: 'video_filter.update', before: { name: 'Live rock' }, after: { name: 'live ROCK' } },
    { action: 'video_filter.update', after: { filter } },
    { action: 'video_filter.delete', before: { name: 'live ROCK' }, after: null },
  ])
})

it('names are unique without case, and sorted', async () => {
  await create('b')
  const { body } = await create('A')
  expect([(await create('B')).body.code, (await create(' ')).body.code]).toEqual([
    'conflict',
    'validation_failed',
  ])
  const path = `/api/videos/filters/${body.id}`
  const renamed = await catalogue.call('PATCH', path, { as: catalogue.admin, body: { name: 'B' } })
  expect(renamed.body.code).toBe('conflict')
  expect((await list()).map(({ name }) => name)).toEqual(['A', 'b'])
})

it('of concurrent requests for the last place, one succeeds', async () => {
  for (let index = 1; index < MAX_SAVED_FILTERS; index += 1) await create(`Filter ${index}`)
  const answers = await Promise.all(['x', 'y', 'z'].map((name) => create(name)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422])
  expect(await list()).toHaveLength(MAX_SAVED_FILTERS)
})

it('is for admins only', async () => {
  for (const as of [undefined, catalogue.user, catalogue.moderator]) {
    const answer = await catalogue.call('GET', '/api/videos/filters', as ? { as } : {})
    expect(answer.status).toBe(as ? 403 : 401)
  }
})
