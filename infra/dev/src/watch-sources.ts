import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../../../packages/backing/src/paths.ts'
import type { ServiceName } from '../../../packages/backing/src/service-names.ts'

/** Editors and Git write several files at once, in ms. */
const SETTLE_MS = 80

interface WatchOptions {
  /** The services that run the code of each folder. */
  folders: ReadonlyMap<string, readonly ServiceName[]>
  onChange: (services: readonly ServiceName[]) => void
  /** A migration was written. It runs at the next start: applied migrations are never changed. */
  onMigration: (file: string) => void
}

/**
 * Reports the services whose code has changed. Tests are not part of it.
 *
 * @returns stops watching
 */
export function watchSources({ folders, onChange, onMigration }: WatchOptions): () => void {
  const changed = new Set<ServiceName>()
  let timer: NodeJS.Timeout | undefined
  const report = (): void => {
    const services = [...changed]
    changed.clear()
    onChange(services)
  }
  const watchers = [...folders].map(
    ([folder, services]): FSWatcher =>
      watch(join(repositoryRoot, folder), { recursive: true }, (_event, file) => {
        if (file === null) return
        if (/(^|\/)migrations\/.*\.(ts|sql)$/.test(file)) return onMigration(`${folder}/${file}`)
        if (!file.endsWith('.ts') || file.endsWith('.test.ts')) return
        for (const service of services) changed.add(service)
        clearTimeout(timer)
        timer = setTimeout(report, SETTLE_MS)
      }),
  )
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}
