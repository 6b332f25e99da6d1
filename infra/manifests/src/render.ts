import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { Failure } from '@looptide/backing/failure'
import { repositoryRoot } from '@looptide/backing/paths'
import { findKubectl } from '@looptide/backing/programs/kubectl'
import { parseAllDocuments, stringify } from 'yaml'
import type { Manifest } from './manifest.ts'

const k8s = join(repositoryRoot, 'k8s')
/** Rendered overlays, by overlay and components: kubectl takes most of a second for each. */
const rendered = new Map<string, Manifest[]>()

/**
 * The objects that `kubectl apply -k k8s/overlays/<overlay>` would send, rendered once in a process.
 *
 * @param components of `k8s/components`, added as an operator's overlay does
 */
export function renderOverlay(overlay: string, components: readonly string[] = []): Manifest[] {
  const key = [overlay, ...components].join(' ')
  const known = rendered.get(key) ?? renderAnew(join(k8s, 'overlays', overlay), components)
  rendered.set(key, known)
  return structuredClone(known)
}

function renderAnew(folder: string, components: readonly string[]): Manifest[] {
  if (components.length === 0) return renderFolder(folder)
  const own = mkdtempSync(join(tmpdir(), 'looptide-overlay-'))
  try {
    const kustomization = {
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      namespace: 'looptide',
      resources: [relative(own, folder)],
      components: components.map((name) => relative(own, join(k8s, 'components', name))),
    }
    writeFileSync(join(own, 'kustomization.yaml'), stringify(kustomization))
    return renderFolder(own)
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}

/**
 * The objects that `kubectl apply -k <folder>` would send.
 *
 * @throws Failure with kubectl's message
 */
export function renderFolder(folder: string): Manifest[] {
  const kubectl = findKubectl()
  if (kubectl === undefined) throw new Error('kubectl is not installed: `npm test` installs what tests need.')
  const { status, stdout, stderr, error } = spawnSync(kubectl.path, ['kustomize', folder], {
    encoding: 'utf8',
    env: { ...process.env, ...kubectl.env },
    maxBuffer: 16 * 1024 * 1024,
  })
  if (error !== undefined) throw error
  if (status !== 0) throw new Failure(`${folder} cannot be rendered. ${stderr.trim()}`)
  return parseManifests(stdout)
}

/** The objects of a YAML text with several documents. A duplicate key is an error. */
export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text, { uniqueKeys: true }).map((document) => {
    const [error] = document.errors
    if (error !== undefined) throw error
    return document.toJS() as Manifest
  })
}
