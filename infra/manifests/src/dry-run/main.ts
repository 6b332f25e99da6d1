/**
 * `pnpm manifests:dry-run`: asks the API server of a cluster whether it accepts the manifests. Writes nothing but a
 * namespace, which is deleted again. See docs/kubernetes.md.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Failure } from '@looptide/backing/failure'
import { repositoryRoot } from '@looptide/backing/paths'
import { obtainKubectl } from '@looptide/backing/programs/kubectl'
import type { Manifest } from '../manifest.ts'
import { MISTAKES, mistaken, RIGHT } from '../planted-mistakes.ts'
import { parseManifests, renderFolder, renderOverlay } from '../render.ts'
import { describeCluster, makeNamespace, NoCluster, removeNamespace } from './cluster.ts'
import { kubectlFor } from './kubectl.ts'
import { type Place, reportOf, tryManifests } from './trial.ts'

const HELP = `pnpm manifests:dry-run [options] [folder …]

Asks the API server whether it would take the manifests (kubectl apply --dry-run=server --validate=strict): those of
k8s/, in a namespace made for it and taken away again; or those of your overlays in the folders, in their own namespace
if it is there, so that what runs in it already counts.

  --kubeconfig FILE   as of kubectl; without it KUBECONFIG or ~/.kube/config
  --context NAME      one of its clusters
  --prove             plants mistakes instead, and looks whether the API server notices each

Ends with 0 when all is taken without a warning, 1 when something is not, 2 for a wrong command, 3 when no cluster
answers.`

const EXIT = { done: 0, fault: 1, usage: 2, away: 3 } as const

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

process.exitCode = await run(process.argv.slice(2))

async function run(args: readonly string[]): Promise<number> {
  try {
    return (await command(args)) ? EXIT.done : EXIT.fault
  } catch (error) {
    // Aborted by the user.
    if (error instanceof Error && error.name === 'AbortError') return EXIT.fault
    console.error(error instanceof Failure || isUsageError(error) ? error.message : error)
    if (error instanceof NoCluster) return EXIT.away
    if (isUsageError(error)) return EXIT.usage
    return EXIT.fault
  }
}

/** An error of `parseArgs`; its message names the option. */
function isUsageError(error: unknown): error is TypeError {
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}

/** @returns whether the API server accepts everything, or notices every mistake */
async function command(args: readonly string[]): Promise<boolean> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      kubeconfig: { type: 'string' },
      context: { type: 'string' },
      prove: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const say = (line: string) => console.log(line)
  if (values.help) {
    say(HELP)
    return true
  }
  const program = await obtainKubectl(say)
  const chosen = [
    ...(values.kubeconfig === undefined ? [] : [`--kubeconfig=${values.kubeconfig}`]),
    ...(values.context === undefined ? [] : [`--context=${values.context}`]),
  ]
  const kubectl = kubectlFor(program, chosen, stop.signal)
  // The namespace is deleted also after an abort.
  const toTheEnd = kubectlFor(program, chosen)
  const sets = values.prove ? [] : positionals.length > 0 ? yours(positionals) : ours()
  say(await describeCluster(kubectl))
  const spare = await makeNamespace(toTheEnd)
  try {
    const place = { kubectl, spare, live: positionals.length > 0 }
    if (values.prove) return await prove(place, say)
    let well = true
    for (const { name, objects } of sets) {
      const outcome = await tryManifests(objects, place)
      for (const line of reportOf(name, outcome)) say(line)
      well &&= outcome.faults.length === 0
    }
    return well
  } finally {
    await removeNamespace(toTheEnd, spare)
  }
}

/** Manifests that are sent together. */
interface Batch {
  name: string
  objects: Manifest[]
}

/** Everything in k8s/. A component is part of an overlay, since it does not render alone. */
function ours(): Batch[] {
  const overlays = [
    ['local', []],
    ['production', []],
    ['local', ['operator']],
    ['production', ['keda', 'operator', 'malware-scanner', 'requests']],
  ] as const
  return [
    { name: 'k8s/base', objects: renderFolder(join(repositoryRoot, 'k8s/base')) },
    ...overlays.map(([overlay, components]) => ({
      name: [`k8s/overlays/${overlay}`, ...components].join(' + '),
      objects: renderOverlay(overlay, components),
    })),
  ]
}

function yours(folders: readonly string[]): Batch[] {
  return folders.map((folder) => ({ name: folder, objects: renderFolder(folder) }))
}

/**
 * Shows that the cluster's API server notices mistakes: correct manifests are accepted, each planted mistake is
 * refused for its own reason. Kinds that the cluster does not serve are skipped.
 *
 * @returns whether all results are as expected
 */
async function prove(place: Place, say: (line: string) => void): Promise<boolean> {
  const right = await tryManifests(parseManifests(RIGHT), place)
  for (const line of reportOf('manifests without a mistake', right)) say(line)
  const unknown = new Set(right.leftOut.map(({ apiVersion }) => apiVersion))
  const missed: string[] = []
  let [found, leftOut] = [0, 0]
  for (const mistake of MISTAKES) {
    if (mistake.refused === undefined) continue
    const wrong = mistaken(mistake)
    if (unknown.has(wrong.apiVersion)) {
      leftOut += 1
      continue
    }
    const { faults } = await tryManifests([wrong], place)
    const said = faults.map(({ what }) => what).join('\n')
    if (mistake.refused.test(said)) found += 1
    else missed.push(`  not noticed: ${mistake.what}${said === '' ? '' : `; said was: ${said}`}`)
  }
  const others = MISTAKES.filter(({ refused }) => refused === undefined)
  say(`mistakes planted: ${found} noticed, ${missed.length} not, ${leftOut} left out`)
  for (const line of missed) say(line)
  say(`  no API server looks for ${others.map(({ what }) => what).join(', ')}: npm test does`)
  return missed.length === 0 && right.faults.length === 0
}
