import {
  DEFAULT_CARD_TEXTS,
  DEFAULT_THEME,
  THEME_ASSET_MAX_BYTES,
  THEME_HISTORY_LIMIT,
  THEME_PRESETS,
  type ThemeAsset,
  ThemeBody,
  type ThemeHistory,
} from '@looptide/contracts/http/themes'
import type { RunningService } from '@looptide/service-kit/process/service-process'
import type { TestUser } from '@looptide/testkit/identity'
import { eventsOf } from '@looptide/testkit/stream-contents'
import { Check } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AuditHarness, callApi, readLog, startAuditHarness } from './_harness.ts'

let harness: AuditHarness
let service: RunningService
let admin: TestUser
let viewer: TestUser

beforeAll(async () => {
  harness = await startAuditHarness()
  admin = await harness.identity.createUser('admin')
  viewer = await harness.identity.createUser('moderator')
  service = await harness.serve()
})
afterAll(() => harness.stop())

const get = (headers: Record<string, string> = {}) =>
  callApi<ThemeBody>(service.url, null, 'GET', '/api/theme', undefined, headers)
const put = (theme: unknown, account: TestUser | null = admin, headers: Record<string, string> = {}) =>
  callApi<ThemeBody & { code?: string }>(service.url, account, 'PUT', '/api/theme', theme, headers)
const preset = (name: string) => THEME_PRESETS.find((each) => each.name === name)!.theme

describe('the theme', () => {
  it('is the default theme before any has been saved', async () => {
    const { status, body, headers } = await get()
    expect([status, body]).toEqual([200, DEFAULT_THEME])
    const unchanged = await get({ 'if-none-match': headers.get('etag')! })
    expect(unchanged.status).toBe(304)
    // A proxy treats a content length without a body as a broken response.
    expect(Number(unchanged.headers.get('content-length') ?? 0)).toBe(0)
  })

  it('is the theme that an admin saved last, and is published and audited', async () => {
    const before = (await get()).headers.get('etag')!
    expect((await put(preset('Ocean Blue'))).body).toEqual(preset('Ocean Blue'))
    expect((await put(preset('Cyber Neon'))).status).toBe(200)
    const now = await get({ 'if-none-match': before })
    expect([now.status, now.body]).toEqual([200, preset('Cyber Neon')])
    expect((await get({ 'if-none-match': `"x", W/${now.headers.get('etag')}` })).status).toBe(304)

    await service.processAll()
    const lines = await readLog(service.url, admin, '?action=theme.activate')
    expect(lines.map(({ before: was, after }) => [was, after])).toEqual([
      [preset('Ocean Blue'), preset('Cyber Neon')],
      [DEFAULT_THEME, preset('Ocean Blue')],
    ])
    expect(lines[0]).toMatchObject({ adminUserId: admin.id, targetType: 'theme' })
    const events = await eventsOf(harness.nats, 'admin.theme.activated.v1')
    expect(events.at(-1)).toMatchObject({ actorId: admin.id, data: { theme: preset('Cyber Neon') } })
  })

  it('exactly one theme is active after concurrent saves', async () => {
    const answers = await Promise.all(THEME_PRESETS.map(({ theme }) => put(theme)))
    expect(answers.every((answer) => answer.status === 200)).toBe(true)
    const active = await harness.db
      .selectFrom('themeSettings')
      .select('createdBy')
      .where('isActive', '=', true)
      .execute()
    expect(active).toEqual([{ createdBy: admin.id }])
  })

  it('is not overwritten with If-Match if another admin has saved meanwhile', async () => {
    const base = (await get()).headers.get('etag')!
    const first = await put(preset('Rose Gold'), admin, { 'if-match': base })
    expect(first.status).toBe(200)
    const second = await put(preset('Cyber Neon'), admin, { 'if-match': base })
    expect([second.status, second.body.code]).toEqual([412, 'precondition_failed'])
    const now = await get()
    expect([now.body, now.headers.get('etag')]).toEqual([preset('Rose Gold'), first.headers.get('etag')])
    const weakened = `W/${now.headers.get('etag')}`
    expect((await put(preset('Cyber Neon'), admin, { 'if-match': weakened })).status).toBe(200)
    expect((await put(preset('Ocean Blue'))).status).toBe(200)
  })

  it('is saved by admins only', async () => {
    expect((await put(DEFAULT_THEME, null)).status).toBe(401)
    expect((await put(DEFAULT_THEME, viewer)).status).toBe(403)
  })

  it.each([
    ['an invalid colour', { primaryColor: 'red' }],
    ['a colour with further CSS', { primaryColor: '#123456; background: url(x)' }],
    ['an unknown font', { fontFamily: 'Comic Sans' }],
    ['a size out of bounds', { fontSize: 25 }],
    ['a radius out of bounds', { borderRadius: -1 }],
    ['a script as logo URL', { logoUrl: 'javascript:alert(1)' }],
    ['a logo URL without a scheme', { logoUrl: '//elsewhere.test/logo.png' }],
    ['an unknown field', { css: '*' }],
    ['a missing field', { fontSize: undefined }],
  ])('rejects %s', async (_what, change) => {
    const before = (await get()).body
    const { status, body } = await put({ ...DEFAULT_THEME, ...change })
    expect([status, body.code]).toEqual([400, 'validation_failed'])
    expect((await get()).body).toEqual(before)
  })
})

describe('the saved themes', () => {
  it('are listed newest first, for admins only', async () => {
    for (const name of ['Rose Gold', 'Cool Mint']) expect((await put(preset(name))).status).toBe(200)
    const read = (account: TestUser | null) =>
      callApi<ThemeHistory>(service.url, account, 'GET', '/api/theme/history')
    const { items } = (await read(admin)).body
    expect(items.length).toBeLessThanOrEqual(THEME_HISTORY_LIMIT)
    expect(items.slice(0, 2).map(({ theme }) => theme)).toEqual([preset('Cool Mint'), preset('Rose Gold')])
    expect(items[0]).toMatchObject({ createdBy: admin.id })
    expect([(await read(null)).status, (await read(viewer)).status]).toEqual([401, 403])
  })

  it('has the texts of the cards; missing ones get their defaults, and empty ones are refused', async () => {
    const own = { cardStationName: 'Night TV', cardNextText: 'Gleich', cardCountdownText: 'Beginnt in' }
    const { cardPreviousText: _, ...theme } = { ...DEFAULT_THEME, ...own }
    const texts = { ...own, cardPreviousText: DEFAULT_CARD_TEXTS.cardPreviousText }
    expect(await put(theme)).toMatchObject({ status: 200, body: texts })
    expect((await get()).body).toMatchObject(texts)
    expect((await put({ ...theme, cardNextText: ' ' })).status).toBe(400)
    expect((await put(DEFAULT_THEME)).body).toEqual(DEFAULT_THEME)
  })
})

describe('a picture for the theme', () => {
  // A transparent pixel.
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  )
  const upload = async (
    body: Buffer,
    account: TestUser | null = admin,
    { type = 'image/png', query = '' } = {},
  ) => {
    const response = await fetch(`${service.url}/api/theme/assets${query}`, {
      method: 'POST',
      headers: { ...account?.headers, 'content-type': type },
      body: new Uint8Array(body),
    })
    return { status: response.status, body: (await response.json()) as ThemeAsset & { code?: string } }
  }

  it('is stored under its own URL, served with its real type, and audited', async () => {
    const { status, body } = await upload(pixel, admin, { type: 'image/jpeg' })
    expect([status, body.url]).toEqual([201, expect.stringMatching(/^\/api\/theme\/assets\/[\w-]{22}$/)])
    expect((await upload(pixel)).body.url).toBe(body.url)
    const shown = await fetch(service.url + body.url)
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(pixel)
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    expect((await put({ ...DEFAULT_THEME, logoUrl: body.url })).status).toBe(200)
    await service.processAll()
    expect(await readLog(service.url, admin, '?action=theme.upload')).toMatchObject([
      { adminUserId: admin.id, after: { contentType: 'image/png', bytes: pixel.length } },
    ])
  })

  it('is deleted after a day if no theme has been saved with it, unless it is kept', async () => {
    const used = (await upload(pixel)).body.url
    const logo = Buffer.from(pixel)
    logo[logo.length - 1] = 1
    const kept = (await upload(logo, admin, { query: '?keep=true' })).body.url
    expect((await upload(logo)).body.url, 'also after an upload for a theme').toBe(kept)
    await harness.db
      .insertInto('themeAssets')
      .values({
        version: 'unused-theme-asset',
        contentType: 'image/png',
        bytes: pixel,
        createdBy: admin.id,
      })
      .execute()
    await harness.db
      .updateTable('themeAssets')
      .set({ createdAt: new Date(Date.now() - 25 * 3_600_000) })
      .execute()
    const another = Buffer.from(pixel)
    another[another.length - 1] = 0
    expect((await upload(another)).status).toBe(201)
    const versions = await harness.db.selectFrom('themeAssets').select('version').execute()
    expect(versions).toHaveLength(3)
    const urls = versions.map(({ version }) => `/api/theme/assets/${version}`)
    expect(urls).toEqual(expect.arrayContaining([used, kept]))
  })

  it('is rejected if it is no image, too large, or not from an admin', async () => {
    const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    const faulty = await upload(script)
    expect([faulty.status, faulty.body.code]).toEqual([415, 'unsupported_media_type'])
    expect((await upload(script, admin, { type: 'image/svg+xml' })).status).toBe(415)
    expect((await upload(Buffer.alloc(THEME_ASSET_MAX_BYTES + 1))).status).toBe(413)
    expect([(await upload(pixel, null)).status, (await upload(pixel, viewer)).status]).toEqual([401, 403])
    expect((await callApi(service.url, null, 'GET', '/api/theme/assets/AAAAAAAAAAAAAAAAAAAAAA')).status).toBe(
      404,
    )
  })
})

describe('the presets', () => {
  it('are ten valid themes with sufficient contrast', () => {
    expect(THEME_PRESETS.map(({ name }) => name)).toEqual([
      'Default Dark',
      'Ocean Blue',
      'Sunset Orange',
      'Forest Green',
      'Royal Purple',
      'Rose Gold',
      'Cyber Neon',
      'Warm Amber',
      'Cool Mint',
      'Midnight Blue',
    ])
    expect(THEME_PRESETS[0]!.theme).toEqual(DEFAULT_THEME)
    for (const { name, theme } of THEME_PRESETS) {
      expect([name, Check(ThemeBody, theme)]).toEqual([name, true])
      expect([name, contrast(theme.textColor, theme.backgroundColor) >= 7]).toEqual([name, true])
      expect([name, contrast(theme.accentColor, theme.backgroundColor) >= 4.5]).toEqual([name, true])
    }
  })
})

/** WCAG 2.2, "contrast ratio". */
function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
