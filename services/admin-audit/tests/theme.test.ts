import { DEFAULT_THEME, THEME_PRESETS, ThemeBody } from '@looptide/contracts/http/admin'
import type { RunningService } from '@looptide/service-kit/run-service'
import type { TestPerson } from '@looptide/testkit/identity'
import { Check } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AuditStage, ask, readLog, setStage } from './fixtures.ts'

let stage: AuditStage
let service: RunningService
let admin: TestPerson
let viewer: TestPerson

beforeAll(async () => {
  stage = await setStage()
  admin = await stage.identity.person('admin')
  viewer = await stage.identity.person('moderator')
  service = await stage.serve()
})
afterAll(() => stage.stop())

const get = (headers: Record<string, string> = {}) =>
  ask<ThemeBody>(service.url, null, 'GET', '/api/theme', undefined, headers)
const put = (theme: unknown, person: TestPerson | null = admin) =>
  ask<ThemeBody & { code?: string }>(service.url, person, 'PUT', '/api/theme', theme)
const preset = (name: string) => THEME_PRESETS.find((one) => one.name === name)!.theme

describe('the theme', () => {
  it('is the default one before any was saved', async () => {
    const { status, body, headers } = await get()
    expect([status, body]).toEqual([200, DEFAULT_THEME])
    const unchanged = await get({ 'if-none-match': headers.get('etag')! })
    expect(unchanged.status).toBe(304)
    // A length without a body is a broken answer to the proxy in front.
    expect(Number(unchanged.headers.get('content-length') ?? 0)).toBe(0)
  })

  it('is what an admin saved last, told to all and written down', async () => {
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
    const manager = await stage.nats.jetstreamManager()
    const told = await manager.streams.getMessage('ADMIN', { last_by_subj: 'admin.theme.activated.v1' })
    expect(told.json()).toMatchObject({ actorId: admin.id, data: { theme: preset('Cyber Neon') } })
  })

  it('is one, however many are saved at once', async () => {
    const answers = await Promise.all(THEME_PRESETS.map(({ theme }) => put(theme)))
    expect(answers.every((answer) => answer.status === 200)).toBe(true)
    const active = await stage.db
      .selectFrom('themeSettings')
      .select('createdBy')
      .where('isActive', '=', true)
      .execute()
    expect(active).toEqual([{ createdBy: admin.id }])
  })

  it('is saved by admins only', async () => {
    expect((await put(DEFAULT_THEME, null)).status).toBe(401)
    expect((await put(DEFAULT_THEME, viewer)).status).toBe(403)
  })

  it.each([
    ['a colour that is none', { primaryColor: 'red' }],
    ['a colour with more in it', { primaryColor: '#123456; background: url(x)' }],
    ['a font that is not ours', { fontFamily: 'Comic Sans' }],
    ['a size out of bounds', { fontSize: 25 }],
    ['a radius out of bounds', { borderRadius: -1 }],
    ['a script for a logo', { logoUrl: 'javascript:alert(1)' }],
    ['an address without its scheme', { logoUrl: '//elsewhere.test/logo.png' }],
    ['an unknown field', { css: '*' }],
    ['a missing field', { fontSize: undefined }],
  ])('refuses %s', async (_what, change) => {
    const before = (await get()).body
    const { status, body } = await put({ ...DEFAULT_THEME, ...change })
    expect([status, body.code]).toEqual([400, 'validation_failed'])
    expect((await get()).body).toEqual(before)
  })
})

describe('the presets', () => {
  it('are the ten of the specification, each a theme that can be saved and read', () => {
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
