import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../../../packages/backing/src/paths.ts'
import type { ServiceName } from '../../../packages/backing/src/service-names.ts'
import { stationServices } from '../../runner/src/processes/services.ts'

const WORKSPACE_SCOPE = '@looptide/'

/** The packages of this repository that a package imports at run time, directly or through others. */
function workspaceFolders(folder: string): string[] {
  const { dependencies = {} } = JSON.parse(
    readFileSync(join(repositoryRoot, folder, 'package.json'), 'utf8'),
  ) as {
    dependencies?: Record<string, string>
  }
  const direct = Object.keys(dependencies)
    .filter((name) => name.startsWith(WORKSPACE_SCOPE))
    .map((name) => `packages/${name.slice(WORKSPACE_SCOPE.length)}`)
  return [folder, ...direct.flatMap(workspaceFolders)]
}

/** Each source folder, relative to the repository, with those of `services` that run its code. */
export function sourceFolders(services: readonly ServiceName[]): Map<string, ServiceName[]> {
  const folders = new Map<string, ServiceName[]>()
  for (const { name, folder } of stationServices.filter((service) => services.includes(service.name))) {
    for (const used of new Set(workspaceFolders(folder))) {
      folders.set(`${used}/src`, [...(folders.get(`${used}/src`) ?? []), name])
    }
  }
  return folders
}
