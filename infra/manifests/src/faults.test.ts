import { beforeAll, describe, expect, it } from 'vitest'
import { ruleFaults, schemaFaults } from './faults.ts'
import { type Fault, type Manifest, nameOf } from './manifest.ts'
import { MISTAKES, type Mistake, planted, RIGHT } from './planted-mistakes.ts'
import { parseManifests, renderOverlay } from './render.ts'

// Compiling is slow on a busy machine.
const TIMEOUT_MS = 60_000

describe('what the overlays render', () => {
  it.each([
    ['local', []],
    ['production', []],
    ['local', ['operator', 'monitoring', 'requests']],
    ['production', ['keda', 'operator', 'malware-scanner', 'requests']],
  ])(
    'is valid: %s %j',
    async (overlay, components) => {
      const objects = renderOverlay(overlay, components)
      expect([...(await schemaFaults(objects)), ...ruleFaults(objects)]).toEqual([])
    },
    TIMEOUT_MS,
  )

  it(
    'has alerts and monitors of all processes in production',
    () => {
      const watching = renderOverlay('production').filter(({ apiVersion }) =>
        apiVersion.startsWith('monitoring.coreos.com/'),
      )
      expect(watching.map(nameOf).sort()).toEqual([
        'PodMonitor looptide/gateway',
        'PodMonitor looptide/services',
        'PrometheusRule looptide/looptide',
      ])
    },
    TIMEOUT_MS,
  )
})

/** Faults that are visible without a cluster. */
const VISIBLE = MISTAKES.flatMap((mistake) =>
  mistake.said === undefined ? [] : [{ ...mistake, said: mistake.said }],
)

/** The manifests with one mistake, in their own namespace. */
function variant(mistake: Mistake, at: number): Manifest[] {
  return planted(mistake).map((object) => ({
    ...object,
    metadata: { ...object.metadata, namespace: `mistake-${at}` },
  }))
}

describe('a mistake is found', () => {
  const variants = VISIBLE.map(variant)
  let schema: Fault[]
  beforeAll(async () => {
    schema = await schemaFaults([...parseManifests(RIGHT), ...variants.flat()])
  }, TIMEOUT_MS)

  it('and nothing is found in correct manifests', () => {
    const right = parseManifests(RIGHT)
    const names = right.map(nameOf)
    expect(schema.filter(({ object }) => names.includes(object))).toEqual([])
    expect(ruleFaults(right)).toEqual([])
  })

  it.each(VISIBLE.map(({ what, said }, at) => ({ what, said, at })))('$what', ({ said, at }) => {
    const objects = variants[at] ?? []
    const mine = schema.filter(({ object }) => object.includes(` mistake-${at}/`))
    expect([...mine, ...ruleFaults(objects)].map(({ what }) => what).join('\n')).toMatch(said)
  })

  it('and two objects with one name', () => {
    const [first] = parseManifests(RIGHT)
    expect(JSON.stringify(ruleFaults(first === undefined ? [] : [first, first]))).toContain(
      'is defined twice',
    )
  })

  it('and a duplicate key', () => {
    expect(() => parseManifests('kind: Service\nkind: Secret\n')).toThrow('unique')
  })
})
