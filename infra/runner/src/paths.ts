import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The clone's top folder. */
export const repositoryRoot = fileURLToPath(new URL('../../../', import.meta.url)).replace(/\/$/, '')

/** Where packages are unpacked when we may not install them. */
export const unpackedRoot = join(repositoryRoot, '.local/packages')
