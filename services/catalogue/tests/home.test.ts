import { afterAll, beforeAll, expect, it } from 'vitest'
import { pickRandom } from '../src/features/home/random-picks.ts'
import { insertVideos } from '../src/features/videos/video-repository.ts'
import { type CatalogueHarness, startCatalogue } from './_harness.ts'
import { someVideos } from './_videos.ts'

let catalogue: CatalogueHarness
let ids: string[] = []
beforeAll(async () => {
  catalogue = await startCatalogue()
  ids = (await insertVideos(catalogue.db, someVideos(40))).map((video) => video.id)
})
afterAll(() => catalogue.close())

interface Shown {
  id: string
}
const home = async (seed = 'a') => (await catalogue.call('GET', `/api/home?seed=${seed}`)).body
const idsOf = (videos: Shown[]) => videos.map((video) => video.id)
const row = (body: { rows: { title: string; videos: Shown[] }[] }, title: string) =>
  idsOf(body.rows.find((each) => each.title === title)?.videos ?? [])
const curate = (body: object) => catalogue.call('POST', '/api/curation', { as: catalogue.admin, body })

it('shows 5, 15, 15 and 12 videos, recent ones newest first, and the same picks for the same seed', async () => {
  const body = await home()
  expect(body.hero).toHaveLength(5)
  expect(
    body.rows.map((each: { title: string; videos: Shown[] }) => [each.title, each.videos.length]),
  ).toEqual([
    ['All Videos', 15],
    ['Featured Content', 15],
    ['Recently Added', 12],
  ])
  const hero = idsOf(body.hero)
  expect(row(body, 'Featured Content').filter((id) => hero.includes(id))).toEqual([])
  expect(row(body, 'Recently Added')).toEqual(ids.toSorted().toReversed().slice(0, 12))
  expect(await home()).toEqual(body)
  expect(idsOf((await home('b')).hero)).not.toEqual(hero)
})

it('picks All Videos and Featured Content independently, also from a small library', async () => {
  const reversed = async (seed: string) => {
    const body = await home(seed)
    return row(body, 'Featured Content').toReversed().join() === row(body, 'All Videos').join()
  }
  const { db } = catalogue
  // Twenty videos: as many as the two rows and the hero need.
  await db.updateTable('videos').set({ isPublic: false }).where('id', 'in', ids.slice(20)).execute()
  try {
    expect(await Promise.all(['s1', 's2', 's3'].map(reversed))).toEqual([false, false, false])
    expect(row(await home('s1'), 'All Videos')).toHaveLength(15)
  } finally {
    await db.updateTable('videos').set({ isPublic: true }).where('id', 'in', ids.slice(20)).execute()
  }
})

it('shows curated videos first, in their order, until they are switched off or removed', async () => {
  const [first, second, third] = ids as [string, string, string]
  const hero = (await curate({ videoId: first, sectionType: 'hero' })).body
  await curate({ videoId: second, sectionType: 'featured' })
  const third1 = (await curate({ videoId: third, sectionType: 'category', sectionName: ' Surf ' })).body
  const third2 = (await curate({ videoId: first, sectionType: 'category', sectionName: 'Surf' })).body
  expect([hero.position, third1.position, third2.position]).toEqual([1, 1, 2])
  let body = await home()
  expect(body.hero[0].id).toBe(first)
  expect(body.hero).toHaveLength(5)
  for (const seed of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l']) {
    expect(row(await home(seed), 'Featured Content')[0]).toBe(second)
  }
  expect(row(body, 'Surf')).toEqual([third, first])
  const change = (id: string, to: object) =>
    catalogue.call('PATCH', `/api/curation/${id}`, { as: catalogue.admin, body: to })
  await change(third1.id, { position: 3 })
  await change(hero.id, { isActive: false })
  body = await home()
  expect(row(body, 'Surf')).toEqual([first, third])
  const list = await catalogue.call('GET', '/api/curation?limit=2', { as: catalogue.admin })
  const rest = await catalogue.call('GET', `/api/curation?cursor=${list.body.nextCursor}`, {
    as: catalogue.admin,
  })
  expect([...list.body.items, ...rest.body.items].map((item) => [item.sectionType, item.position])).toEqual([
    ['category', 1],
    ['category', 2],
    ['featured', 1],
    ['hero', 1],
  ])
  const removal = await catalogue.call('DELETE', `/api/curation/${third1.id}`, { as: catalogue.admin })
  expect(removal.status).toBe(204)
  expect(row(await home(), 'Surf')).toEqual([first])
  expect(await catalogue.events('catalogue.home.changed.v1')).toHaveLength(7)
  const audit = await catalogue.events('catalogue.audit.recorded.v1')
  expect(audit.map((event) => event.data.action)).toEqual([
    'home.add',
    'home.add',
    'home.add',
    'home.add',
    'home.update',
    'home.update',
    'home.remove',
  ])
  expect(audit[5]?.data).toMatchObject({ before: { isActive: true }, after: { isActive: false } })
})

it('keeps the positions of each section and category without gaps or duplicates', async () => {
  const name = 'Places'
  const add = async (index: number, more: object = {}) =>
    (await curate({ videoId: ids[index], sectionType: 'category', sectionName: name, ...more })).body
  const order = async () => {
    const { body } = await catalogue.call('GET', '/api/curation', { as: catalogue.admin })
    const items = body.items.filter((item: { sectionName: string | null }) => item.sectionName === name)
    expect(items.map((item: { position: number }) => item.position)).toEqual(
      items.map((_: unknown, index: number) => index + 1),
    )
    return items.map((item: { videoId: string }) => ids.indexOf(item.videoId))
  }
  const items: { id: string }[] = []
  for (const index of [10, 11, 12, 13]) items.push(await add(index))
  await curate({ videoId: ids[10], sectionType: 'category', sectionName: 'Elsewhere' })
  const move = (index: number, position: number) =>
    catalogue.call('PATCH', `/api/curation/${items[index]?.id}`, { as: catalogue.admin, body: { position } })
  expect((await move(3, 1)).body.position).toBe(1)
  expect(await order()).toEqual([13, 10, 11, 12])
  expect((await move(0, 3)).body.position).toBe(3)
  expect(await order()).toEqual([13, 11, 10, 12])
  expect((await move(1, 99)).body.position).toBe(4)
  expect(await order()).toEqual([13, 10, 12, 11])
  await Promise.all([move(0, 1), move(1, 1), move(2, 4), move(3, 2)])
  expect((await order()).toSorted()).toEqual([10, 11, 12, 13])

  const before = await order()
  const second = before[1]
  await catalogue.call('DELETE', `/api/curation/${items[second - 10]?.id}`, { as: catalogue.admin })
  expect(await order()).toEqual(before.toSpliced(1, 1))
  const back = await add(second, { position: 2, isActive: false })
  expect([back.position, back.isActive]).toEqual([2, false])
  expect(await order()).toEqual(before)
  expect((await add(14, { position: 99 })).position).toBe(5)
  expect((await add(15, { position: 0 })).code).toBe('validation_failed')
})

it('hides unavailable videos, and shows them again when they are available', async () => {
  const newest = row(await home(), 'Recently Added')
  const [unavailable = '', curated = ''] = newest
  const item = (await curate({ videoId: curated, sectionType: 'category', sectionName: 'Gone' })).body
  const setStatus = (metadataStatus: 'unavailable' | 'resolved') =>
    catalogue.db
      .updateTable('videos')
      .set({ metadataStatus })
      .where('id', 'in', [unavailable, curated])
      .execute()
  expect(row(await home(), 'Gone')).toEqual([curated])
  await setStatus('unavailable')
  const body = await home()
  expect(row(body, 'Recently Added').slice(0, 10)).toEqual(newest.slice(2))
  expect(row(body, 'Gone')).toEqual([])
  const list = await catalogue.call('GET', '/api/curation', { as: catalogue.admin })
  expect(list.body.items.find(({ id }: Shown) => id === item.id)?.video).toMatchObject({
    metadataStatus: 'unavailable',
  })
  await setStatus('resolved')
  expect(row(await home(), 'Recently Added')).toEqual(newest)
  await catalogue.call('DELETE', `/api/curation/${item.id}`, { as: catalogue.admin })
})

it('refuses a move that is based on an outdated order of the home page', async () => {
  const section = { sectionType: 'category', sectionName: 'Versions' }
  const first = (await curate({ videoId: ids[20], ...section })).body
  const second = (await curate({ videoId: ids[21], ...section })).body
  const version = async () =>
    (await catalogue.call('GET', '/api/curation', { as: catalogue.admin })).etag ?? ''
  const move = (id: string, ifMatch: string) =>
    catalogue.call('PATCH', `/api/curation/${id}`, {
      as: catalogue.admin,
      body: { position: 1 },
      headers: { 'if-match': ifMatch },
    })
  const seen = await version()
  expect((await move(second.id, seen)).status).toBe(200)
  const outdated = await move(first.id, seen)
  expect([outdated.status, outdated.body.code]).toEqual([412, 'precondition_failed'])
  const order = await version()
  // Whether an item is active is not part of the order.
  const body = { isActive: false }
  await catalogue.call('PATCH', `/api/curation/${first.id}`, { as: catalogue.admin, body })
  expect(await version()).toBe(order)
  expect((await move(first.id, order)).status).toBe(200)
  for (const { id } of [first, second]) {
    await catalogue.call('DELETE', `/api/curation/${id}`, { as: catalogue.admin })
  }
})

it('rejects invalid curation and users who are not admins', async () => {
  expect((await curate({ videoId: ids[0], sectionType: 'category' })).body.code).toBe('validation_failed')
  expect((await curate({ videoId: crypto.randomUUID(), sectionType: 'hero' })).status).toBe(404)
  expect((await catalogue.call('GET', '/api/curation', { as: catalogue.user })).status).toBe(403)
  expect((await catalogue.call('GET', '/api/curation')).status).toBe(401)
})

it('shows only the first active video of the hero section as curated hero', async () => {
  await catalogue.db.deleteFrom('homeScreenCuration').where('sectionType', '=', 'hero').execute()
  const chosen: string[] = []
  const [first, second, third] = ids.slice(10) as [string, string, string]
  for (const videoId of [first, second, third]) {
    chosen.push((await curate({ videoId, sectionType: 'hero' })).body.id)
  }
  const heroes = async () => {
    const seeds = Array.from({ length: 12 }, (_, index) => `hero-${index}`)
    return Promise.all(seeds.map(async (seed) => idsOf((await home(seed)).hero)))
  }
  for (const hero of await heroes()) {
    expect(hero[0]).toBe(first)
    expect(hero).toHaveLength(5)
  }
  // The other two appear only as random picks, so not with every seed.
  expect((await heroes()).some((hero) => !hero.includes(second))).toBe(true)
  await catalogue.call('PATCH', `/api/curation/${chosen[0]}`, {
    as: catalogue.admin,
    body: { isActive: false },
  })
  for (const hero of await heroes()) expect(hero[0]).toBe(second)
  for (const id of chosen) await catalogue.call('DELETE', `/api/curation/${id}`, { as: catalogue.admin })
})

it('picks distinct videos from a large library, without unavailable ones', async () => {
  await insertVideos(catalogue.db, someVideos(400))
  await catalogue.db
    .updateTable('videos')
    .set({ metadataStatus: 'unavailable' })
    .where('id', 'in', ids)
    .execute()
  const draws = [
    { seed: 'seed', count: 35 },
    { seed: 'other', count: 35 },
  ]
  const [picks = [], others] = await pickRandom(catalogue.db, draws)
  expect(new Set(picks.map((video) => video.id)).size).toBe(35)
  expect(picks.filter((video) => ids.includes(video.id))).toEqual([])
  expect(await pickRandom(catalogue.db, draws.slice(0, 1))).toEqual([picks])
  expect(others).not.toEqual(picks)
})

it('shows all videos of a library of three', async () => {
  await catalogue.db
    .updateTable('videos')
    .set({ isPublic: false })
    .where('id', 'not in', ids.slice(0, 3))
    .execute()
  await catalogue.db.updateTable('videos').set({ metadataStatus: 'resolved' }).execute()
  expect(row(await home(), 'All Videos').toSorted()).toEqual(ids.slice(0, 3).toSorted())
})

it('shows the most liked videos, without hidden ones, as soon as somebody likes one', async () => {
  const liked = async () => row(await home(), 'Most Liked')
  expect(await liked()).toEqual([])
  const [first, second, hidden, other] = ids as [string, string, string, string]
  const version = 1
  await catalogue.db.updateTable('videos').set({ isPublic: false }).where('id', '=', hidden).execute()
  await catalogue.publishEvent('audience.likes.changed.v1', {
    videos: [
      { videoId: first, likeCount: 9, version },
      { videoId: second, likeCount: 10, version },
      { videoId: hidden, likeCount: 11, version },
      { videoId: other, likeCount: 0, version },
    ],
  })
  expect(await liked()).toEqual([second, first])
  await catalogue.publishEvent('audience.likes.changed.v1', {
    videos: [
      { videoId: first, likeCount: 12, version: 2 },
      { videoId: second, likeCount: 99, version: 1 },
    ],
  })
  expect(await liked()).toEqual([first, second])
  const { body } = await catalogue.call('GET', '/api/videos?sort=mostLiked&limit=2')
  expect(body.items.map(({ id, likeCount }: { id: string; likeCount: number }) => [id, likeCount])).toEqual([
    [first, 12],
    [second, 10],
  ])
})
