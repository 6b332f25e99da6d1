import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '@looptide/backing/paths'
import { expect, it } from 'vitest'
import { run } from './run.ts'

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8')
const runbook = read('docs/operations.md')

it('describes for every alert what viewers notice, where to look and what to do', () => {
  const alerts = [...read('infra/observability/alerts.yml').matchAll(/- alert: (\w+)/g)].map(
    ([, name]) => name,
  )
  expect(alerts.length).toBeGreaterThan(5)
  for (const alert of alerts) {
    const section = runbook.split(`### ${alert}\n`)[1]?.split('\n### ')[0] ?? ''
    expect([alert, ...['Viewers:', 'Look:', 'Do:'].filter((word) => section.includes(word))]).toHaveLength(4)
  }
})

it('pages within 30 s for events that are not published', () => {
  const rule =
    read('infra/observability/alerts.yml').split('- alert: OutboxStuck')[1]?.split('- alert:')[0] ?? ''
  const prometheus = read('infra/observability/prometheus.yml')
  const seconds = [
    /looptide_outbox_oldest_seconds\) > (\d+)/.exec(rule),
    /for: (\d+)s/.exec(rule),
    /scrape_interval: (\d+)s/.exec(prometheus),
    /evaluation_interval: (\d+)s/.exec(prometheus),
  ].map((match) => Number(match?.[1]))
  // One more evaluation passes before `for` is over.
  const [threshold = 0, lasting = 0, scrape = 0, evaluation = 0] = seconds
  expect(threshold + scrape + evaluation + Math.ceil(lasting / evaluation) * evaluation).toBeLessThanOrEqual(
    30,
  )
})

it('names only existing commands', async () => {
  const named = [...runbook.matchAll(/`looptide ([a-z-]+)(?: ([a-z-]+))?[^`]*`/g)]
  expect(named.length).toBeGreaterThan(10)
  for (const [, command = '', verb] of named) {
    const said: string[] = []
    const terminal = {
      env: {},
      out: (text: string) => said.push(text),
      err: (text: string) => said.push(text),
      ask: undefined,
    }
    expect(await run([command, '--help'], terminal)).toBe(0)
    expect(said.join('\n')).toContain(`looptide ${command}`)
    if (verb !== undefined) expect(said.join('\n')).toMatch(new RegExp(`^  ${verb} `, 'm'))
  }
})
