import { afterAll, beforeAll, expect, it } from 'vitest'
import { insertVideos } from '../src/features/videos/video-repository.ts'
import { type Station, startCatalogue } from './_station.ts'
import { someVideos } from './_videos.ts'

let station: Station
let videoIds: string[] = []
beforeAll(async () => {
  station = await startCatalogue()
  videoIds = (await insertVideos(station.db, someVideos(6))).map((video) => video.id)
})
afterAll(() => station.close())

const create = async (name: string) =>
  (await station.call('POST', '/api/playlists', { as: station.user, body: { name } })).body
const own = (method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: object) =>
  station.call(method, `/api/playlists${path}`, { as: station.user, ...(body === undefined ? {} : { body }) })
const restriction = { restrictionId: crypto.randomUUID(), restrictionType: 'restricted' as const }

it('begins private, without shuffle and loop, with auto-advance', async () => {
  const { status, body } = await station.call('POST', '/api/playlists', {
    as: station.user,
    body: { name: '  Mine  ', description: ' ' },
  })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    name: 'Mine',
    description: null,
    shuffleMode: false,
    loopMode: 'off',
    autoAdvance: true,
    isPublic: false,
    itemCount: 0,
    userId: station.user.id,
  })
  expect((await station.call('POST', '/api/playlists', { body: { name: 'x' } })).status).toBe(401)
  expect((await own('POST', '', { name: '   ' })).body.code).toBe('validation_failed')
})

it('is nobody else’s business until it is public', async () => {
  const { id } = await create('Secret')
  const path = `/api/playlists/${id}`
  const other = { as: station.other }
  expect((await station.call('GET', path, other)).status).toBe(404)
  expect((await station.call('GET', `${path}/items`)).status).toBe(404)
  expect((await own('PATCH', `/${id}`, { isPublic: true, loopMode: 'single' })).body).toMatchObject({
    isPublic: true,
  })
  expect((await station.call('GET', path)).body.loopMode).toBe('single')
  expect((await station.call('PATCH', path, { ...other, body: { name: 'Theirs' } })).status).toBe(403)
  const seen = await station.call('GET', `/api/playlists?userId=${station.user.id}`, other)
  expect(seen.body.items.map((playlist: { name: string }) => playlist.name)).toEqual(['Secret'])
  const mine = await own('GET', '')
  expect(mine.body.items.map((playlist: { name: string }) => playlist.name)).toEqual(['Secret', 'Mine'])
})

it('keeps its videos in order, and takes a new order only when it knows them all', async () => {
  const { id } = await create('Ordered')
  await Promise.all(videoIds.map((videoId) => own('POST', `/${id}/items`, { videoId })))
  const items = (await own('GET', `/${id}/items`)).body.items as { id: string; position: number }[]
  expect(items.map((item) => item.position)).toEqual([0, 1, 2, 3, 4, 5])
  const turned = items.map((item) => item.id).toReversed()
  expect((await own('PUT', `/${id}/items/order`, { ids: turned.slice(1) })).status).toBe(409)
  expect((await own('PUT', `/${id}/items/order`, { ids: turned })).status).toBe(204)
  const first = (await own('GET', `/${id}/items?limit=4`)).body
  const rest = (await own('GET', `/${id}/items?limit=4&cursor=${first.nextCursor}`)).body
  expect([...first.items, ...rest.items].map((item: { id: string }) => item.id)).toEqual(turned)
  expect((await own('DELETE', `/${id}/items/${turned[0]}`)).status).toBe(204)
  expect((await own('GET', `/${id}`)).body.itemCount).toBe(5)
  const again = await own('POST', `/${id}/items`, { videoId: videoIds[0] })
  expect(again.body).toMatchObject({ position: 6, video: { id: videoIds[0] } })
  await station.call('DELETE', '/api/videos', { as: station.admin, body: { ids: [videoIds[0]] } })
  expect((await own('GET', `/${id}`)).body.itemCount).toBe(4)
})

it('stays private while its owner is restricted', async () => {
  const { id } = await create('Restricted')
  await station.tell('auth.user.restricted.v1', {
    ...restriction,
    userId: station.user.id,
    reason: 'noise',
    expiresAt: null,
  })
  const refused = await own('PATCH', `/${id}`, { isPublic: true })
  expect(refused).toMatchObject({ status: 403, body: { code: 'user_restricted' } })
  expect((await own('PATCH', `/${id}`, { shuffleMode: true })).status).toBe(200)
  await station.tell('auth.user.unrestricted.v1', { ...restriction, userId: station.user.id })
  expect((await own('PATCH', `/${id}`, { isPublic: true })).status).toBe(200)
})

it('disappears for everybody when it is deleted, and with its owner', async () => {
  const { id } = await create('Gone')
  expect((await own('DELETE', `/${id}`)).status).toBe(204)
  expect((await own('GET', `/${id}`)).status).toBe(404)
  expect((await own('DELETE', `/${id}`)).status).toBe(404)
  await station.tell('auth.user.deleted.v1', { userId: station.user.id })
  expect((await own('GET', '')).body.items).toEqual([])
})
