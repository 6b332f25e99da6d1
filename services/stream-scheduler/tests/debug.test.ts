import type { DebugReport } from '@looptide/service-kit/debug/debug-report'
import { DEBUG_REPORT_PATH } from '@looptide/service-kit/debug/debug-route'
import { until } from '@looptide/testkit/until'
import { afterEach, expect, it } from 'vitest'
import { TestScheduler } from './_harness.ts'

let station: TestScheduler
afterEach(() => station.stop())

const request = (headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${station.replicas[0]?.url}${DEBUG_REPORT_PATH}`, { headers })

it('reports timelines, outbox, consumers, dead letters and settings in development, to other processes only', async () => {
  station = await TestScheduler.start({ config: { debug: true } })
  expect((await request()).status).toBe(404)
  const { process, sections } = await until('the timelines are in memory', async () => {
    const response = await request({ 'x-internal-token': station.identity.internalToken })
    const report = (await response.json()) as DebugReport
    return report.sections.some(({ title, rows }) => title === 'Timelines' && rows.length > 0) && report
  })
  expect(process).toBe('stream-scheduler')
  expect(sections.filter(({ error }) => error !== null)).toEqual([])
  const titled = (start: string) => sections.find(({ title }) => title.startsWith(start))?.rows
  expect(titled('Timelines')).toContainEqual(expect.objectContaining({ channel: 'default' }))
  expect(titled('Consumers')).toContainEqual(
    expect.objectContaining({ consumer: 'stream-scheduler--catalogue', waiting: 0 }),
  )
  expect(titled('Outbox')).toBeDefined()
  expect(titled('Dead letters')).toEqual([])
  expect(titled('Settings')).toContainEqual({ setting: 'airLogDays', value: '400' })
  expect(JSON.stringify(sections)).not.toContain(station.identity.internalToken)
})

it('reports nothing outside development, not even to other processes', async () => {
  station = await TestScheduler.start()
  expect((await request({ 'x-internal-token': station.identity.internalToken })).status).toBe(404)
})
