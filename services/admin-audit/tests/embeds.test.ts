import { type EmbedSettings, MAX_EMBED_ORIGINS } from '@looptide/contracts/http/embeds'
import type { RunningService } from '@looptide/service-kit/process/service-process'
import type { TestUser } from '@looptide/testkit/identity'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AuditHarness, callApi, readLog, startAuditHarness } from './_harness.ts'

let harness: AuditHarness
let service: RunningService
let admin: TestUser
let curator: TestUser

beforeAll(async () => {
  harness = await startAuditHarness()
  admin = await harness.identity.createUser('admin')
  curator = await harness.identity.createUser('curator')
  service = await harness.serve()
})
afterAll(() => harness.stop())

const get = () => callApi<EmbedSettings>(service.url, null, 'GET', '/api/embeds')
const put = (body: unknown, account: TestUser | null = admin, headers: Record<string, string> = {}) =>
  callApi<EmbedSettings & { code?: string }>(service.url, account, 'PUT', '/api/embeds', body, headers)

describe('whose pages may show embeds', () => {
  it('is everybody’s at first, and then as an admin says, which is audited', async () => {
    expect((await get()).body).toEqual({ origins: null })
    const listed = { origins: ['https://blog.example', 'http://localhost:8000'] }
    expect(await put(listed)).toMatchObject({ status: 200, body: listed })
    expect((await get()).body).toEqual(listed)
    expect(await put({ origins: [] })).toMatchObject({ status: 200, body: { origins: [] } })
    await service.processAll()
    const lines = await readLog(service.url, admin, '?action=embeds.update')
    expect(lines.map(({ before, after }) => [before, after])).toEqual([
      [listed, { origins: [] }],
      [{ origins: null }, listed],
    ])
  })

  it('is changed by admins only', async () => {
    expect((await put({ origins: null }, curator)).status).toBe(403)
    expect((await put({ origins: null }, null)).status).toBe(401)
  })

  it('is not changed by an admin who has not seen the last change', async () => {
    const etag = (await get()).headers.get('etag') ?? ''
    expect((await put({ origins: ['https://one.example'] }, admin, { 'if-match': etag })).status).toBe(200)
    const second = await put({ origins: ['https://two.example'] }, admin, { 'if-match': etag })
    expect([second.status, second.body.code]).toEqual([412, 'precondition_failed'])
    expect((await get()).body).toEqual({ origins: ['https://one.example'] })
  })

  it.each([
    'https://a.example; script-src *',
    'https://a.example/path',
    'https://a.example,https://b.example',
    'https://*.example',
    '*',
    "'none'",
    'ftp://a.example',
    'HTTPS://A.EXAMPLE',
    'https://user@a.example',
    'https://a.example:0',
    'https://-a.example',
    '',
  ])('is no list with %s', async (origin) => {
    expect((await put({ origins: [origin] })).status).toBe(400)
  })

  it('has a bound, and no other fields', async () => {
    const origins = Array.from(
      { length: MAX_EMBED_ORIGINS + 1 },
      (_, index) => `https://blog-${index}.example`,
    )
    expect((await put({ origins })).status).toBe(400)
    expect((await put({ origins: ['https://a.example', 'https://a.example'] })).status).toBe(400)
    expect((await put({ origins: null, also: 1 })).status).toBe(400)
  })
})
