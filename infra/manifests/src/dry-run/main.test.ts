import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const main = fileURLToPath(new URL('main.ts', import.meta.url))

it('exits with 3 and says how to select a cluster when none answers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'looptide-kubeconfig-'))
  try {
    const kubeconfig = join(folder, 'config')
    // The discard port: no server listens there.
    const cluster = { name: 'none', cluster: { server: 'http://127.0.0.1:9' } }
    const context = { name: 'none', context: { cluster: 'none' } }
    const config = { apiVersion: 'v1', kind: 'Config', clusters: [cluster], contexts: [context] }
    writeFileSync(kubeconfig, JSON.stringify({ ...config, 'current-context': 'none' }))
    const { status, stderr } = spawnSync(process.execPath, [main, '--prove', '--kubeconfig', kubeconfig], {
      encoding: 'utf8',
    })
    expect(stderr).toContain('No cluster answers at http://127.0.0.1:9: name one by --kubeconfig')
    expect(status).toBe(3)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
