import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ScheduleDocument } from '@looptide/contracts/schedule'
import type { Station } from '@looptide/runner/station/station'
import { startTestStation, testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatSchedule } from '../../infra/cli/src/schedule/schedule-yaml.ts'
import { looptide as run } from '../support/commands.ts'
import { signIn } from '../support/people.ts'

/** It plays our own clips, which are always available. */
const CHANNEL = 'test-card'

let folder: string
let file: string
let station: Station
let admin: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'looptide-schedule-'))
  file = join(folder, 'schedule.yaml')
  station = await startTestStation({ processes: 'one' })
  admin = await signIn(station.url, testAdmin.email, testAdmin.password)
})
afterAll(async () => {
  await station?.stop()
  await rm(folder, { recursive: true, force: true })
})

const looptide = (...args: string[]) => run(station.dataDir, ...args)

const CHANNEL_PARAMS = { params: { id: CHANNEL } }
const published = () => clientOf(station.url, admin).call('GET /api/channels/:id/schedule', CHANNEL_PARAMS)
const draft = () => clientOf(station.url, admin).call('GET /api/channels/:id/schedule/draft', CHANNEL_PARAMS)
const saveDraft = (body: object) =>
  clientOf(station.url, admin).call('PUT /api/channels/:id/schedule/draft', { ...CHANNEL_PARAMS, body })

const document = (blockName = 'Evening'): ScheduleDocument => ({
  timeZone: 'Europe/Berlin',
  defaultSource: 'clips',
  freezeMinutes: 0,
  sources: { clips: { kind: 'playlist' } },
  clocks: {
    hour: [
      { ident: 'station', durationMs: 8000 },
      { source: 'clips', count: 20 },
    ],
  },
  blocks: [
    {
      id: 'all-day',
      name: blockName,
      days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
      from: '00:00',
      to: '24:00',
      clock: 'hour',
    },
  ],
})
const write = (content: ScheduleDocument) => writeFile(file, formatSchedule(content, 'A comment.'))

describe('looptide schedule', () => {
  it('has nothing to pull or preview from a channel without a schedule', async () => {
    expect(await looptide('schedule', 'pull', CHANNEL)).toMatchObject({
      code: 1,
      err: `${CHANNEL} has no schedule: it repeats its playlist.\n`,
    })
    expect(await looptide('schedule', 'preview', CHANNEL)).toMatchObject({ code: 1 })
    expect((await looptide('schedule', 'versions', CHANNEL)).out).toBe('No versions.\n')
  })

  it('reports each problem with its line, and publishes nothing', async () => {
    const { blocks, ...rest } = document()
    await write({
      ...rest,
      defaultSource: 'nowhere',
      blocks: blocks?.map((block) => ({ ...block, clock: 'none' })) ?? [],
    })
    const lines = (await readFile(file, 'utf8')).split('\n')
    const lineOf = (text: string) => lines.findIndex((line) => line.includes(text)) + 1
    const refused = await looptide('schedule', 'apply', CHANNEL, '--file', file)
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err.split('\n')).toEqual([
      `line ${lineOf('nowhere')}: /defaultSource: There is no source named "nowhere".`,
      `line ${lineOf('clock: none')}: /blocks/0/clock: There is no clock named "none".`,
      '',
    ])
    await writeFile(file, 'timeZone: [UTC')
    expect(await looptide('schedule', 'diff', CHANNEL, '--file', file)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^Line 1: /),
    })
    expect(await looptide('schedule', 'diff', CHANNEL, '--file', join(folder, 'missing'))).toMatchObject({
      code: 2,
    })
    expect(await published()).toMatchObject({ version: 0 })
  })

  it('shows what a file would change, and changes nothing in a dry run', async () => {
    await write(document())
    const difference = await looptide('schedule', 'diff', CHANNEL, '--file', file)
    expect(difference.code).toBe(1)
    expect(difference.out).toMatch(/^Compared with an empty schedule:\n/)
    expect(difference.out).toContain('  + blocks/all-day: "Evening"\n')
    expect(difference.out).toMatch(
      /On the air: \d+ programmes from \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(Europe\/Berlin\)\./,
    )
    expect(difference.out).toContain('(station card)')
    expect(await looptide('schedule', 'apply', CHANNEL, '--file', file, '--dry-run')).toMatchObject({
      code: 0,
      err: '',
    })
    expect(await published()).toMatchObject({ version: 0 })
    expect(await draft()).toMatchObject({ document: null })
  })

  it('publishes a file, once', async () => {
    const applied = await looptide('schedule', 'apply', CHANNEL, '--file', file, '--note', 'Evenings')
    expect(applied).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('Version 1 is published.'),
    })
    expect(await published()).toMatchObject({ version: 1, document: document() })
    expect(await looptide('schedule', 'diff', CHANNEL, '--file', file)).toMatchObject({
      code: 0,
      out: 'The file does not differ from version 1.\nNothing changes on the air.\n',
    })
    expect(await looptide('schedule', 'apply', CHANNEL, '--file', file)).toMatchObject({ code: 0 })
    expect(await published()).toMatchObject({ version: 1 })
  })

  it('pulls what it has published', async () => {
    const pulled = await looptide('schedule', 'pull', CHANNEL)
    expect(pulled.out).toMatch(/^# Schedule of test-card, version 1\.\n/)
    const copy = join(folder, 'copy.yaml')
    expect(await looptide('schedule', 'pull', CHANNEL, '--file', copy)).toMatchObject({ code: 0 })
    expect(await readFile(copy, 'utf8')).toBe(pulled.out)
    expect(await looptide('schedule', 'diff', CHANNEL, '--file', copy)).toMatchObject({ code: 0 })
    expect(await looptide('schedule', 'pull', CHANNEL, '--draft')).toMatchObject({ code: 1 })
  })

  it('does not overwrite a saved draft without the option', async () => {
    await saveDraft({ timeZone: 'UTC' })
    await write(document('Late Evening'))
    const refused = await looptide('schedule', 'apply', CHANNEL, '--file', file)
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('--overwrite-draft') })
    expect((await looptide('schedule', 'pull', CHANNEL, '--draft')).out).toMatch(/^# Draft of test-card/)
    const forced = await looptide('--json', 'schedule', 'apply', CHANNEL, '--file', file, '--overwrite-draft')
    expect(JSON.parse(forced.out)).toMatchObject({
      changes: [{ kind: 'changed', path: 'blocks/all-day/name', before: 'Evening', after: 'Late Evening' }],
      published: { version: 2 },
    })
  })

  it('publishes a file whose draft was saved by an interrupted run', async () => {
    await write(document('Latest Evening'))
    await saveDraft(document('Latest Evening'))
    expect(await looptide('schedule', 'submit', CHANNEL, '--note', 'Later')).toMatchObject({ code: 0 })
    expect(await draft()).toMatchObject({ submission: { note: 'Later' } })
    expect(await looptide('schedule', 'apply', CHANNEL, '--file', file)).toMatchObject({ code: 0 })
    expect(await published()).toMatchObject({ version: 3 })
  })

  it('lists versions with their authors, and restores one', async () => {
    expect((await looptide('schedule', 'versions', CHANNEL)).out).toMatch(
      /3 +\S+Z +@\w+ +current\n2 [^\n]+\n1 +\S+Z +@\w+ +Evenings\n/,
    )
    expect(await looptide('schedule', 'restore', CHANNEL, '1')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Version 1 is published again, as version 4\./),
    })
    expect((await looptide('schedule', 'versions', CHANNEL)).out).toContain(
      'current, restored from version 1',
    )
    expect(await looptide('schedule', 'restore', CHANNEL, '77')).toMatchObject({ code: 1 })
    expect(await looptide('schedule', 'restore', CHANNEL, 'first')).toMatchObject({ code: 2 })
  })

  it('previews any day with the block and source of each programme', async () => {
    const from = new Date(Date.now() + 3 * 86_400_000)
    const to = new Date(from.getTime() + 3_600_000)
    const shown = await looptide(
      'schedule',
      'preview',
      CHANNEL,
      '--from',
      from.toISOString(),
      '--to',
      to.toISOString(),
    )
    expect(shown.out).toMatch(/^START \(Europe\/Berlin\) +PROGRAMME +BLOCK +SOURCE +NOTES\n/)
    expect(shown.out).toMatch(/\(station card\) +all-day +-/)
    expect(shown.out).toMatch(/ - .+ all-day +clips/)
    expect(await looptide('schedule', 'preview', CHANNEL, '--from', 'tomorrow')).toMatchObject({ code: 2 })
  })
})

describe('looptide log', () => {
  interface Listed {
    programmes: { programmeId: string; startsAt: string; title: string | null; isChangeable: boolean }[]
    edits: { id: string }[]
  }
  const log = async (): Promise<Listed> => JSON.parse((await looptide('--json', 'log', 'list', CHANNEL)).out)

  it('shows what an edit would change, changes it, and undoes it', async () => {
    const before = await log()
    // Not the next ones: they may begin meanwhile.
    const [, , , skipped] = before.programmes.filter(({ isChangeable }) => isChangeable)
    const skip = ['log', 'skip', CHANNEL, skipped?.programmeId ?? '']
    const tried = await looptide(...skip, '--dry-run')
    expect(tried).toMatchObject({ code: 0, out: expect.stringContaining('Nothing was changed.') })
    expect(tried.out).toContain(skipped?.title)
    expect((await log()).edits).toEqual([])

    expect((await looptide(...skip)).code).toBe(0)
    const { edits } = await log()
    expect(edits).toHaveLength(1)
    expect(await looptide('log', 'undo', CHANNEL, edits[0]?.id ?? '')).toMatchObject({ code: 0 })
    const after = await log()
    expect(after.edits).toEqual([])
    const planned = new Map(before.programmes.map(({ startsAt, title }) => [startsAt, title]))
    const next = after.programmes.slice(1, 9)
    expect(next.map(({ title }) => title)).toEqual(next.map(({ startsAt }) => planned.get(startsAt)))
    expect(await looptide('log', 'skip', CHANNEL, `${CHANNEL}.1`)).toMatchObject({ code: 1 })
  })
})
