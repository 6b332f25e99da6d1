import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { moduleOf } from './kinds.ts'
import { type Fault, type Manifest, nameOf } from './manifest.ts'

const modules = fileURLToPath(new URL('../node_modules', import.meta.url))

const settings = {
  compilerOptions: {
    target: 'es2024',
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    paths: { '*': [`${modules}/*`] },
  },
}

/**
 * Missing or unknown fields, values of a wrong type or outside an enumeration, removed kinds and versions. Each
 * object is compiled as a literal of its kind's type: the only way to check the schema's types strictly without a
 * cluster.
 */
export function structureFaults(objects: readonly Manifest[]): Fault[] {
  const folder = mkdtempSync(join(tmpdir(), 'looptide-manifests-'))
  try {
    objects.forEach((object, index) => {
      const literal = JSON.stringify(object, null, 2)
      const text = `import type { I${object.kind} } from '${moduleOf(object)}'\nexport const object: I${object.kind} = ${literal}\n`
      writeFileSync(join(folder, `${index}.ts`), text)
    })
    const files = objects.map((_object, index) => `${index}.ts`)
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...settings, files }))
    const { stdout, status, error } = spawnSync(
      join(modules, '.bin/tsc'),
      ['-p', folder, '--pretty', 'false'],
      {
        encoding: 'utf8',
        cwd: folder,
        maxBuffer: 16 * 1024 * 1024,
      },
    )
    if (error !== undefined) throw error
    const faults = [...stdout.matchAll(/^(\d+)\.ts\((\d+),\d+\): error TS\d+: (.*(?:\n .*)*)/gm)].map(
      (match) => {
        const [, index = '', line = '', what = ''] = match
        const object = objects[Number(index)]
        if (object === undefined) throw new Error(`The compiler reports an unknown file: ${match[0]}`)
        return { object: nameOf(object), what: `${pathAt(object, Number(line) - 2)}: ${what.trim()}` }
      },
    )
    if (status !== 0 && faults.length === 0) throw new Error(`The compiler failed:\n${stdout}`)
    return faults
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The place of a line of the JSON (indented by 2, counted from 0) in the object, such as `spec.replicas`. */
function pathAt(object: Manifest, line: number): string {
  const lines = JSON.stringify(object, null, 2)
    .split('\n')
    .slice(0, line + 1)
  const path: string[] = []
  for (const text of lines) {
    const key = /^( *)"([^"]+)": /.exec(text)
    if (key === null) continue
    const depth = (key[1] ?? '').length / 2
    path.length = Math.min(path.length, depth - 1)
    path[depth - 1] = key[2] ?? ''
  }
  return path.filter(Boolean).join('.')
}
