import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '@looptide/backing/paths'
import { expect, it } from 'vitest'
import { parse, stringify } from 'yaml'

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8')

const sources = globSync('{gateway,{services,packages}/*}/src/**/*.ts', {
  cwd: repositoryRoot,
  exclude: ['**/*.test.ts'],
})
  .map(read)
  .join('\n')
const alerts = read('infra/observability/alerts.yml')
const dashboard = read('infra/observability/grafana/dashboards/station.json')
const runbook = read('docs/operations.md').split('\n## Alerts\n')[1] ?? ''

/** Messages in the runbook that other programs write. */
const OTHERS_MESSAGES = ['size limit exceeded']

it('alerts, dashboard and runbook name only metrics that a process has', () => {
  const named = [alerts, dashboard, runbook].flatMap((text) => text.match(/\blooptide_[a-z_]+/g) ?? [])
  expect(new Set(named).size).toBeGreaterThan(20)
  const missing = named.filter((name) => {
    const metric = name.replace(/_(?:bucket|sum|count)$/, '')
    return !sources.includes(`'${name}'`) && !sources.includes(`'${metric}'`)
  })
  expect([...new Set(missing)]).toEqual([])
})

it('the runbook quotes only log messages that a process writes', () => {
  const quoted = [...runbook.matchAll(/`([a-z]+(?:,? [a-z]+)+)`/g)]
    .map(([, message = '']) => message)
    .filter((message) => !message.startsWith('looptide ') && !OTHERS_MESSAGES.includes(message))
  expect(quoted.length).toBeGreaterThan(10)
  expect(quoted.filter((message) => !sources.includes(message))).toEqual([])
})

it('every alert links to its own section of the runbook', () => {
  const rules = [...alerts.matchAll(/- alert: (\w+)[\s\S]*?runbook: (\S+)/g)]
  expect(rules.length).toBeGreaterThan(10)
  expect(rules.map(([, , link]) => link)).toEqual(
    rules.map(([, name = '']) => `docs/operations.md#${name.toLowerCase()}`),
  )
})

it('the runbook has no section for an alert that does not exist', () => {
  const sections = [...runbook.matchAll(/^### (\w+)$/gm)].map(([, name]) => name)
  expect(sections.filter((name) => !alerts.includes(`- alert: ${name}\n`))).toEqual([])
})

it('the overlays install the same alerts as Compose', async () => {
  const rule = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'looptide', labels: { 'looptide.tv/monitor': 'yes' } },
    spec: parse(alerts) as object,
  }
  const note = '# Rendered from infra/observability/alerts.yml, which says how.\n'
  await expect(`${note}${stringify(rule, { lineWidth: 0, version: '1.1' })}`).toMatchFileSnapshot(
    join(repositoryRoot, 'k8s/components/monitoring/alerts.yaml'),
  )
})
