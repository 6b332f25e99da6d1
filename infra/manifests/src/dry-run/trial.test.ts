import { describe, expect, it } from 'vitest'
import type { Manifest } from '../manifest.ts'
import type { Kubectl } from './kubectl.ts'
import { isOfOthers, reportOf, tryManifests } from './trial.ts'

const object = (apiVersion: string, kind: string, name: string, namespace?: string): Manifest => ({
  apiVersion,
  kind,
  metadata: { name, namespace },
})
const chat = object('apps/v1', 'Deployment', 'chat', 'looptide')
const gateway = object('apps/v1', 'Deployment', 'gateway', 'looptide')
const scaler = object('keda.sh/v1alpha1', 'ScaledObject', 'worker', 'looptide')
const itself = object('v1', 'Namespace', 'looptide')

/** A cluster that has `namespaces` and no KEDA, and answers `complaints` for the objects they name. */
function cluster(namespaces: readonly string[], complaints: Record<string, string> = {}) {
  const sent: Manifest[][] = []
  const flags: (string | undefined)[] = []
  const kubectl: Kubectl = async (args, input = '') => {
    const [verb, what, name = ''] = args
    if (verb === 'get' && what === '--raw')
      return { done: false, out: '', err: 'Error from server (NotFound): the server could not find it' }
    if (verb === 'get')
      return { done: true, out: namespaces.includes(name) ? `namespace/${name}` : '', err: '' }
    const items = input.split('\n').map((line) => JSON.parse(line) as Manifest)
    sent.push(items)
    flags.push(args.find((arg) => arg.startsWith('--namespace=')))
    const lines = items.flatMap(({ metadata }) => complaints[metadata.name] ?? [])
    return { done: true, out: '', err: lines.join('\n') }
  }
  return { kubectl, sent, flags }
}

describe('a dry run', () => {
  it('sends everything at once into the temporary namespace if the objects have none', async () => {
    const { kubectl, sent } = cluster([])
    const outcome = await tryManifests([itself, chat, gateway], { kubectl, spare: 'spare', live: true })
    expect(outcome).toEqual({ asked: 3, leftOut: [], faults: [] })
    expect(sent.map((items) => items.map(({ metadata }) => metadata.namespace))).toEqual([
      [undefined, 'spare', 'spare'],
    ])
  })

  it('keeps the namespace of an overlay’s objects if it exists', async () => {
    const { kubectl, sent, flags } = cluster(['looptide'])
    await tryManifests([chat], { kubectl, spare: 'spare', live: true })
    await tryManifests([chat], { kubectl, spare: 'spare', live: false })
    expect(sent.map(([first]) => first?.metadata.namespace)).toEqual(['looptide', 'spare'])
    // kubectl refuses objects of another namespace than its option.
    expect(flags).toEqual([undefined, '--namespace=spare'])
  })

  it('names the object of a warning', async () => {
    const { kubectl } = cluster([], { gateway: 'Warning: would violate PodSecurity' })
    const { faults } = await tryManifests([chat, gateway], { kubectl, spare: 'spare', live: false })
    expect(faults).toEqual([{ object: 'Deployment gateway', what: 'Warning: would violate PodSecurity' }])
  })

  it('ignores the warning about objects that were not created by apply', async () => {
    const untracked =
      'Warning: resource namespaces/looptide is missing the kubectl.kubernetes.io/last-applied-configuration annotation'
    const { kubectl } = cluster([], { looptide: untracked })
    const { faults } = await tryManifests([itself], { kubectl, spare: 'spare', live: false })
    expect(faults).toEqual([])
  })

  it('skips kinds of operators that are not installed, and says so', async () => {
    const { kubectl, sent } = cluster([])
    const outcome = await tryManifests([chat, scaler], { kubectl, spare: 'spare', live: false })
    expect(outcome.leftOut).toEqual([scaler])
    expect(sent.flat()).toHaveLength(1)
    expect(reportOf('k8s', outcome)).toEqual([
      'k8s: 1 objects sent',
      '  skipped, because the cluster does not serve keda.sh/v1alpha1: ScaledObject looptide/worker',
    ])
  })
})

it('shows both ends of a long message', () => {
  const what = `The request is invalid: ${'x'.repeat(5000)}: unknown field "spec.replicaz"`
  const [, line = ''] = reportOf('k8s', {
    asked: 1,
    leftOut: [],
    faults: [{ object: 'Deployment chat', what }],
  })
  expect(line).toMatch(
    /^ {2}Deployment chat: The request is invalid: x+ … x+: unknown field "spec\.replicaz"$/,
  )
  expect(line.length).toBeLessThan(600)
})

it.each([
  ['v1', false],
  ['apps/v1', false],
  ['networking.k8s.io/v1', false],
  ['postgresql.cnpg.io/v1', true],
])('%s: a group of others is %s', (apiVersion, others) => {
  expect(isOfOthers(apiVersion)).toBe(others)
})
